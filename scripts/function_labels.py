#!/usr/bin/env python3
"""Checks the labels of tests/functions natively, without Incise: all versions run on the same natural inputs, those that callers of such a function would give.

The harmless version must never do anything else than the base version, and both must run without a word from the sanitizers; the harmful one must do something else, or fail, on
some of the inputs. --table prints the table of tests/functions/README.md. Usage: scripts/function_labels.py [-n INPUTS] [-j JOBS] [--table] [NAME...]
"""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests/functions"
VERSIONS = ("base", "harmless", "harmful")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--inputs", type=int, default=4000, help="inputs for each function")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="functions at a time")
    parser.add_argument("--table", action="store_true", help="print the table of the functions instead")
    parser.add_argument("name", nargs="*", help="only functions whose names contain one of these")
    arguments = parser.parse_args()
    functions = [maker.parent for maker in sorted(FOLDER.glob("*/inputs.c"))]
    functions = [function for function in functions if not arguments.name or any(name in function.name for name in arguments.name)]
    if arguments.table:
        print("\n".join(table(functions)))
        return
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for function, (right, words) in zip(functions, pool.map(lambda function: judge(function, arguments.inputs), functions)):
            wrong += not right
            print(f"{function.name}: {words}", flush=True)
    print(f"{len(functions)} functions, {wrong} labels are wrong")
    sys.exit(1 if wrong else 0)


def label(function):
    """What the head of the input maker says of a function."""
    return dict(re.findall(r"^// (\w+): (.*)$", (function / "inputs.c").read_text(), re.M))


def table(functions):
    """The rows for people: what changes, and what the inputs must be taken to be."""
    yield "| function | harmless | harmful | its inputs |"
    yield "|---|---|---|---|"
    for function in functions:
        known = label(function)
        yield f"| {function.name} | {known['harmless']} | {known['harmful']} | {known['taken']} |"


def judge(function, inputs):
    """Whether the labels are right, in words too."""
    with tempfile.TemporaryDirectory() as folder:
        said = {version: run(pathlib.Path(folder), function, version, inputs) for version in VERSIONS}
    for version in ("base", "harmless"):
        lines, complaint = said[version]
        if complaint or len(lines) != inputs:
            return False, f"WRONG, {version} fails on\n  {lines[-1] if lines else 'the first input'}\n{complaint}"
    base = said["base"][0]
    for first, second in zip(base, said["harmless"][0]):
        if first != second:
            return False, f"WRONG, the harmless version differs:\n  {first}\n  {second}"
    lines, complaint = said["harmful"]
    # What a version that fails had to say before it failed is cut within a line: all lines before that count.
    whole = lines[:-1] if complaint else lines
    differing = sum(first != second for first, second in zip(base, whole))
    if not differing and not complaint:
        return False, "WRONG, the harmful version never differs"
    return True, f"harmful differs on {differing} of {len(lines)} inputs{', then fails' if complaint else ''}"


def run(folder, function, version, inputs):
    """The lines that a version writes, one for each input, and what the sanitizers say if it fails."""
    program = folder / version
    flags = ["-O1", "-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
    source = [f'-DVERSION="{version}.c"', function / "inputs.c"]
    subprocess.run(["clang-19", *flags, *source, "-o", program], check=True)
    done = subprocess.run([program, str(inputs)], capture_output=True, text=True, errors="replace", timeout=600)
    complaint = "" if done.returncode == 0 else done.stderr.strip()[:1000] or f"status {done.returncode}"
    return re.split(r"(?m)^#", done.stdout)[1:], complaint


if __name__ == "__main__":
    main()
