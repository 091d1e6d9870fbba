#!/usr/bin/env python3
"""Compares releases of C libraries, each with its own build, and prints a table.

The sources are those that published crates bundle; `cargo vendor` fetches them below target/libraries, once. Each library becomes a git
repository with a commit for each release. The newer of two releases is built with what it is built with itself, watched by `incise build`
(CMake and make projects, and compilers that are called directly as the crate's build script does), and then `incise diff HEAD~1 HEAD`
compares all functions whose code changed.

    scripts/library_study.py [--budget 60s] [--jobs 2] [--keep FOLDER] [LIBRARY...]

What cannot be fetched or built is said in the table. The exit status is 1 if a comparison fails.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CMAKE = "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release {} && cmake --build build --target {}"

# Name: crate, folder in it, build, versions. A folder may have the release in its name, which is then found by a pattern.
LIBRARIES = {
    "zlib": ("libz-sys", "src/zlib", "sh ./configure --static && make libz.a", "1.1.2 1.1.6 1.1.9 1.1.12 1.1.15"),
    "lz4": ("lz4-sys", "liblz4", "make -C lib liblz4.a", "1.9.2 1.9.3 1.9.4 1.10.0 1.11.1"),
    "oniguruma": ("onig_sys", "oniguruma", CMAKE.format("-DBUILD_TEST=OFF", "onig"), "69.5.1 69.6.0 69.7.1 69.8.1 69.9.1"),
    "mimalloc": ("libmimalloc-sys", "c_src/mimalloc", "cc -O2 -Iinclude -c src/static.c", "0.1.20 0.1.25 0.1.30 0.1.35 0.1.39"),
    "lua": ("lua-src", "lua-5.4*", "cc -O2 -DLUA_USE_LINUX -c *.c", "543.0.0 544.0.1 546.0.2 547.0.0"),
    "libdeflate": ("libdeflate-sys", "libdeflate", "cc -O2 -I. -c lib/*.c", "0.11.0 0.12.0 1.19.0 1.20.0 1.21.0"),
    "xz": ("lzma-sys", "xz-5.2", CMAKE.format("", "liblzma"), "0.1.16 0.1.17 0.1.20"),
    "tree-sitter": (
        "tree-sitter",
        ".",
        "cc -O2 -std=c11 -D_DEFAULT_SOURCE -Isrc -Iinclude -c src/lib.c",
        "0.20.0 0.20.9 0.20.10 0.22.6 0.23.0",
    ),
    "nghttp2": (
        "libnghttp2-sys",
        "nghttp2",
        CMAKE.format("-DENABLE_LIB_ONLY=ON -DENABLE_STATIC_LIB=ON -DENABLE_SHARED_LIB=OFF", "nghttp2_static"),
        "0.1.4+1.41.0 0.1.7+1.45.0 0.1.8+1.55.1 0.1.10+1.61.0",
    ),
    "zstd": (
        "zstd-sys",
        "zstd/lib",
        "cc -O2 -DZSTD_DISABLE_ASM -I. -Icommon -c common/*.c compress/*.c decompress/*.c",
        "1.4.17+zstd.1.4.5 1.6.1+zstd.1.5.0 2.0.1+zstd.1.5.2 2.0.8+zstd.1.5.5",
    ),
}
TROUBLES = ["introduces", "differs", "undecided", "same-within-bounds", "same"]


def say(*words):
    print(*words, flush=True)


def fetched(crate, version, place):
    """The folder of a version of a crate."""
    folder = place / f"{crate}-{version}"
    # What stands behind a plus need not be said.
    def found():
        return next(iter(sorted((folder / "vendor").glob(f"{crate}-{version}*"))), None)

    if found() is None:
        (folder / "src").mkdir(parents=True, exist_ok=True)
        (folder / "src" / "lib.rs").write_text("")
        manifest = '[package]\nname = "fetched"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n[dependencies]\n'
        (folder / "Cargo.toml").write_text(f'{manifest}{crate} = "={version}"\n')
        subprocess.run(["cargo", "vendor", "--versioned-dirs", "vendor"], cwd=folder, check=True, capture_output=True)
    return found()


def git(folder, *words):
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, env=environment)


def commit(repository, source):
    """Makes the files of a release those of the repository, and commits them."""
    for entry in repository.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    shutil.copytree(source, repository, dirs_exist_ok=True, symlinks=True, ignore=shutil.ignore_patterns(".git", "build"))
    git(repository, "add", "-A", "-f")
    git(repository, "commit", "-q", "--allow-empty", "-m", source.name)


def compared(incise, repository, build, arguments):
    """Builds what is checked out, and compares it with the commit before."""
    start = time.monotonic()
    recorded = ["build", "-q", "-o", "compile_commands.json", "--", "sh", "-c", f"({build}) > build.log 2>&1"]
    built = subprocess.run([incise, *recorded], cwd=repository, capture_output=True, text=True)
    if built.returncode != 0:
        return None, "no build: " + built.stderr.strip().splitlines()[-1][:90], time.monotonic() - start
    words = ["diff", "HEAD~1", "HEAD", "--format", "json", "-q", "--budget", arguments.budget, "-j", str(arguments.jobs)]
    start = time.monotonic()
    done = subprocess.run([incise, *words], cwd=repository, capture_output=True, text=True)
    seconds = time.monotonic() - start
    if done.returncode == 2:
        return None, done.stderr.strip()[:120], seconds
    return json.loads(done.stdout), done.stderr.strip()[:120], seconds


def row(name, before, after, report, said, seconds):
    if report is None:
        return f"| {name} | {before} → {after} | {said} | | | | | | | {seconds:.0f} |"
    counts = [sum(each["trouble"] == trouble for each in report["functions"]) for trouble in TROUBLES]
    units = len({each["unit"] for each in report["functions"]})
    numbers = " | ".join(str(count) for count in [units, *counts, len(report["reasons"])])
    return f"| {name} | {before} → {after} | {numbers} | {seconds:.0f} |"


def study(name, arguments, place, incise):
    crate, inner, build, versions = LIBRARIES[name]
    versions, failed = versions.split(), False
    repository = place / "repositories" / name
    shutil.rmtree(repository, ignore_errors=True)
    repository.mkdir(parents=True)
    git(repository, "init", "-q")
    for number, version in enumerate(versions):
        try:
            whole = fetched(crate, version, place)
        except (subprocess.CalledProcessError, OSError) as error:
            say(f"| {name} | {version} | cannot be fetched: {error} | | | | | | | |")
            return failed
        commit(repository, max(whole.glob(inner)) if "*" in inner else whole / inner)
        if number == 0:
            continue
        report, said, seconds = compared(incise, repository, build, arguments)
        failed |= report is None
        say(row(name, versions[number - 1], version, report, said, seconds))
        if arguments.keep and report is not None:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            (arguments.keep / f"{name}-{version}.json").write_text(json.dumps(report, indent=1))
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY", help=f"of {', '.join(LIBRARIES)}")
    parser.add_argument("--budget", default="60s", help="time for each comparison")
    parser.add_argument("--jobs", type=int, default=2, help="workers")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the reports")
    parser.add_argument("--place", type=pathlib.Path, default=ROOT / "target" / "libraries", help="where sources are")
    parser.add_argument("--incise", type=pathlib.Path, default=ROOT / "target" / "release" / "incise")
    arguments = parser.parse_args()
    place, incise = arguments.place.absolute(), arguments.incise.absolute()
    if not incise.exists():
        sys.exit(f"{incise} is not there: run `make build` first")
    say("| library | versions of the crate | units | new errors | differ | undecided | same in bounds | same | not compared | s |")
    say("|---|---|---|---|---|---|---|---|---|---|")
    failed = [study(name, arguments, place, incise) for name in arguments.libraries or LIBRARIES]
    sys.exit(1 if any(failed) else 0)


if __name__ == "__main__":
    main()
