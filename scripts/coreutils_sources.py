"""Fetches two releases of GNU coreutils as Debian has them, builds them, and lays out the units of each program.

Nothing of it is part of Incise: the sources come from Debian's archive through apt, into a folder below target/ that is made once. A release is configured and built as usual, with clang, without what only some processors have (inline assembler, CRC and vector instructions), and without libraries besides
the C library. The linker's map says which units of gnulib a program needs. Each unit is then preprocessed with the flags that the build used for it: PROGRAM/UNIT.c in the folder `units` of the release needs no flags and no headers, so that `incise run` and `incise diff` take the folder as it is.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = ROOT / "target/coreutils"
# Debian's suite, and the version of the package that it has; the earlier release first.
RELEASES = {"8.32": ("bullseye", "8.32-4"), "9.1": ("bookworm", "9.1-1")}
PROGRAMS = ["basename", "wc", "head", "fold", "expand", "uniq", "cut", "tr", "seq", "base64", "cksum", "factor"]
ARCHIVE = "http://deb.debian.org/debian"
CLANGS = ["clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang"]
# Earlier releases have code that clang takes for wrong by now.
LENIENT = "-w -Wno-error=incompatible-function-pointer-types"
CONFIGURE = [
    "--disable-acl", "--disable-libcap", "--disable-libsmack", "--disable-xattr", "--without-libgmp", "--without-openssl", "--without-selinux",
]
# What config.h says of instructions that only some processors have.
INSTRUCTIONS = re.compile(r"^#define (USE_(?:PCLMUL|PMULL|VMULL|AVX2|AVX512)_\w+) 1$", re.M)
# The files that Debian's patches touch are not those that these would make.
NO_AUTOTOOLS = ["AUTOCONF=:", "AUTOHEADER=:", "AUTOMAKE=:", "ACLOCAL=:", "MAKEINFO=:"]
# Of factor: products of two words in C instead of assembler.
PORTABLE = "CPPFLAGS=-DUSE_LONGLONG_H=0"
# What each object is linked from, written by the linker beside the program.
MAP = "LDFLAGS=-Wl,-Map=$@.map"


class Unavailable(Exception):
    """What is missing, in words."""


class Release:
    """A release that was fetched and built."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = folder
        self.source = folder / "source"

    def units(self, program):
        """The folder with the units of a program."""
        return self.folder / "units" / program

    def own_source(self, program):
        """The file of the program itself, of which coverage is told."""
        names = {"base64": ["basenc.c", "base64.c"], "cksum": ["digest.c", "cksum.c"]}.get(program, [f"{program}.c"])
        return next(self.source / "src" / name for name in names if (self.source / "src" / name).exists())


    def flags(self, name):
        """The preprocessor's flags and the source of an object."""
        return recorded_flags(self)[name]

    def link(self, program):
        """The object of the program's own source, and all else that it is linked from."""
        text = (self.folder / "build.log").read_text(errors="replace")
        line = re.findall(rf"^clang\S* .* -o src/{program} (.*)$", text, re.M)[-1]
        words = line.split()
        flags = recorded_flags(self)
        own = next(word for word in words if word in flags and (self.source / flags[word][1]).resolve() == self.own_source(program).resolve())
        return own, [word for word in words if word != own]


def release(name):
    """Fetches and builds a release, unless that was done before."""
    folder = CACHE / name
    done = folder / "done"
    made = Release(name, folder)
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        fetch(name, folder)
        build(made)
        for program in PROGRAMS:
            lay_out(made, program)
        done.touch()
    return made


def call(command, log, **options):
    """Runs a tool; what it says is in the log."""
    with open(log, "ab") as out:
        status = subprocess.run([str(word) for word in command], stdout=out, stderr=out, check=False, **options).returncode
    if status != 0:
        raise Unavailable(f"{command[0]} failed, see {log}")


def fetch(name, folder):
    """Debian's source package, with its patches, as folder/source."""
    if (folder / "source/configure").exists():
        return
    print(f"fetching coreutils {name}", file=sys.stderr)
    suite, version = RELEASES[name]
    for part in ["lists/partial", "cache/archives/partial"]:
        (folder / "apt" / part).mkdir(parents=True, exist_ok=True)
    # Lists of its own: those of the system stay as they are.
    sources = folder / "apt/sources.list"
    sources.write_text(f"deb-src {ARCHIVE} {suite} main\n")
    apt = ["apt-get", "-o", f"Dir::Etc::sourcelist={sources}", "-o", "Dir::Etc::sourceparts=-", "-o", f"Dir::State::lists={folder / 'apt/lists'}",
           "-o", f"Dir::Cache={folder / 'apt/cache'}", "-o", "APT::Sandbox::User=root"]
    log = folder / "fetch.log"
    call(apt + ["update"], log)
    call(apt + ["source", "--download-only", f"coreutils={version}"], log, cwd=folder)
    call(["dpkg-source", "-x", folder / f"coreutils_{version}.dsc", folder / "source"], log)


def compiler():
    """The clang that Incise would take."""
    for name in CLANGS:
        if subprocess.run(["which", name], stdout=subprocess.DEVNULL, check=False).returncode == 0:
            return name
    raise Unavailable("no clang")


def build(made):
    """Configures the release and builds the programs, and writes down how."""
    print(f"building coreutils {made.name}: a few minutes, once", file=sys.stderr)
    log = made.folder / "build.log"
    environment = dict(os.environ, FORCE_UNSAFE_CONFIGURE="1", LC_ALL="C")
    configure = ["./configure", f"CC={compiler()}", f"CFLAGS=-O0 -g {LENIENT}", *CONFIGURE]
    if not (made.source / "Makefile").exists():
        call(configure, log, cwd=made.source, env=environment)
        configuration = made.source / "lib/config.h"
        configuration.write_text(INSTRUCTIONS.sub(r"/* #undef \1 */", configuration.read_text()))
    extra = made.folder / "extra.mk"
    extra.write_text("incise-built: $(BUILT_SOURCES)\n")
    make = ["make", *NO_AUTOTOOLS, "V=1", MAP, PORTABLE, "-f", "Makefile", "-f", extra]
    call(make + ["incise-built"], log, cwd=made.source, env=environment)
    call(make + [f"-j{os.cpu_count()}", *(f"src/{program}" for program in PROGRAMS)], log, cwd=made.source, env=environment)


def recorded_flags(made):
    """The preprocessor's flags and the source of each object, as the build used them."""
    found = {}
    for line in (made.folder / "build.log").read_text(errors="replace").splitlines():
        match = re.search(r" -c -o (\S+\.o) (?:`[^`]*`)?(\S+\.c)\b", line)
        if match:
            words = shlex.split(line[: match.start()])
            found[match[1]] = ([word for word in words if word.startswith(("-D", "-I"))], match[2])
    return found


def objects(made, program):
    """The objects of the build that the linker took for a program."""
    text = (made.source / f"src/{program}.map").read_text(errors="replace")
    own = re.findall(r"^LOAD (src/\S+\.o)$", text, re.M)
    members = re.findall(r"^((?:lib|src)/lib\w+\.a)\((\S+\.o)\)", text, re.M)
    for archive, member in members:
        folder = made.source / archive.split("/")[0]
        place = next(path for path in folder.rglob(member))
        own.append(str(place.relative_to(made.source)))
    return list(dict.fromkeys(own))


def lay_out(made, program):
    """Preprocesses the units of a program into a folder of their own."""
    flags = recorded_flags(made)
    folder = made.units(program)
    folder.mkdir(parents=True, exist_ok=True)
    for name in objects(made, program):
        own, source = flags[name]
        unit = folder / (source.replace("./", "").replace("/", "-"))
        call([compiler(), "-E", *own, source, "-o", unit], made.folder / "build.log", cwd=made.source)
