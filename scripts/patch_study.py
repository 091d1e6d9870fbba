#!/usr/bin/env python3
"""Compares the commits that Debian carries as patches of C programs and libraries, and prints a table.

These are real changes, mostly fixes of security holes that their projects made: each patch of a source package that
touches C becomes a commit of a repository below target/patches. The newest state is built once as it is built by its
project, watched by `incise build`, and then `incise diff COMMIT^!` compares what each commit changed.

    scripts/patch_study.py [--budget 60s] [--jobs 2] [--keep FOLDER] [PACKAGE...]

What cannot be fetched or built is said in the table. The exit status is 1 if a comparison fails.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

from library_study import ROOT, TROUBLES, git, say

ARCHIVE = "deb-src http://deb.debian.org/debian{} bookworm{} main\n"
CMAKE = "cmake -S . -B bld {} && cmake --build bld -j2"
CONFIGURE = "./configure {} && make -j2 {}"
# How each package is built: a library of it, or the program.
PACKAGES = {
    "cjson": "cc -O2 -c cJSON.c cJSON_Utils.c && cc -o cjson-test test.c cJSON.o cJSON_Utils.o -lm",
    "bzip2": "make -j2 CC=cc bzip2 bzip2recover",
    "giflib": "make -j2 libgif.a libutil.a gifclrmp giftext gifbuild",
    "less": CONFIGURE.format("", ""),
    "hiredis": "make -j2 libhiredis.a",
    "libtasn1-6": CONFIGURE.format("--disable-doc", "-C lib"),
    "c-ares": CMAKE.format("-DCARES_BUILD_TOOLS=OFF"),
    "nghttp2": CMAKE.format("-DENABLE_LIB_ONLY=ON"),
    "tiff": CMAKE.format("-Dtiff-tests=OFF -Dtiff-docs=OFF"),
}


class Unavailable(Exception):
    """What is missing, in words."""


def fetch(package, place):
    """Debian's source package without its patches applied."""
    source = place / "sources" / package
    if source.exists():
        return source
    for part in ["lists/partial", "cache/archives/partial"]:
        (place / "apt" / part).mkdir(parents=True, exist_ok=True)
    # Lists of its own: those of the system stay as they are.
    sources = place / "apt/sources.list"
    if not sources.exists():
        sources.write_text(ARCHIVE.format("", "") + ARCHIVE.format("-security", "-security"))
        apt(place, "update")
    apt(place, "source", "--download-only", package)
    found = sorted(place.glob(f"{package}_*.dsc"))
    if not found:
        raise Unavailable("it cannot be fetched")
    source.parent.mkdir(exist_ok=True)
    call(["dpkg-source", "--skip-patches", "-x", found[-1], source], place)
    return source


def apt(place, *words):
    options = {
        "Dir::Etc::sourcelist": place / "apt/sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": place / "apt/lists",
        "Dir::Cache": place / "apt/cache",
        "APT::Sandbox::User": "root",
    }
    call(["apt-get", *(word for name, value in options.items() for word in ("-o", f"{name}={value}")), *words], place)


def call(words, folder):
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise Unavailable(f"{words[0]}: {(done.stderr.strip() or 'failed').splitlines()[-1][:90]}")


def touches_code(patch):
    """Whether a patch changes C that is no test."""
    names = re.findall(r"^\+\+\+ (\S+\.[ch])\b", patch, re.M)
    return any(not re.search(r"test|fuzz", name, re.I) for name in names)


def history(source, repository):
    """Makes a commit of each patch; tells the names of those that change code, in their order."""
    shutil.rmtree(repository, ignore_errors=True)
    shutil.copytree(source, repository, symlinks=True)
    git(repository, "init", "-q")
    git(repository, "add", "-A", "-f")
    git(repository, "commit", "-q", "-m", "as released")
    series = (repository / "debian/patches/series").read_text().splitlines()
    names, commits = [line.split()[0] for line in series if line.strip() and not line.startswith("#")], []
    for name in names:
        patch = (repository / "debian/patches" / name).read_bytes()
        words = ["patch", "-s", "-p1", "-N", "--no-backup-if-mismatch"]
        if subprocess.run(words, cwd=repository, input=patch, capture_output=True).returncode != 0:
            raise Unavailable(f"{name} does not apply")
        git(repository, "add", "-A", "-f")
        git(repository, "commit", "-q", "--allow-empty", "-m", name)
        if touches_code(patch.decode(errors="replace")):
            shown = subprocess.run(["git", "rev-parse", "HEAD"], cwd=repository, capture_output=True, text=True)
            commits.append((name, shown.stdout.strip()))
    return commits


def study(package, arguments, incise):
    repository = arguments.place.absolute() / "repositories" / package
    repository.parent.mkdir(parents=True, exist_ok=True)
    try:
        commits = history(fetch(package, arguments.place.absolute()), repository)
        recorded = [incise, "build", "-q", "--", "sh", "-c", f"({PACKAGES[package]}) > build.log 2>&1"]
        call(recorded, repository)
    except Unavailable as error:
        say(f"| {package} | {error} | | | | | | | |")
        return False
    failed = False
    for name, commit in commits:
        words = ["diff", f"{commit}^!", "--format", "json", "-q", "--budget", arguments.budget, "-j", str(arguments.jobs)]
        start = time.monotonic()
        done = subprocess.run([str(incise), *words], cwd=repository, capture_output=True, text=True)
        seconds = time.monotonic() - start
        if done.returncode == 2:
            failed = True
            say(f"| {package} | {name}: {done.stderr.strip()[:120]} | | | | | | | {seconds:.0f} |")
            continue
        report = json.loads(done.stdout)
        counts = [sum(each["trouble"] == trouble for each in report["functions"]) for trouble in TROUBLES]
        numbers = " | ".join(str(count) for count in [*counts, len(report["reasons"])])
        say(f"| {package} | {name} | {numbers} | {seconds:.0f} |")
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            (arguments.keep / f"{package}-{name}.json").write_text(done.stdout)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"of {', '.join(PACKAGES)}")
    parser.add_argument("--budget", default="60s", help="time for each comparison")
    parser.add_argument("--jobs", type=int, default=2, help="workers")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the reports")
    parser.add_argument("--place", type=pathlib.Path, default=ROOT / "target" / "patches", help="where sources are")
    parser.add_argument("--incise", type=pathlib.Path, default=ROOT / "target" / "release" / "incise")
    arguments = parser.parse_args()
    incise = arguments.incise.absolute()
    if not incise.exists():
        sys.exit(f"{incise} is not there: run `make build` first")
    say("| package | patch | new errors | differ | undecided | same in bounds | same | not compared | s |")
    say("|---|---|---|---|---|---|---|---|---|")
    failed = [study(name, arguments, incise) for name in arguments.packages or PACKAGES]
    sys.exit(1 if any(failed) else 0)


if __name__ == "__main__":
    main()
