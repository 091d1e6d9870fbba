#!/usr/bin/env python3
"""Runs programs of GNU coreutils, from Debian's sources, with symbolic arguments, files and standard input, and compares two releases of each.

For each program: the paths, errors and tests of its runs, how many of the tests do natively what was predicted, the lines of the program's own source that the tests execute (gcov, in a build of the program without Incise), processor time of the explorations, and what was cut. Then the verdict of
`incise diff` on two releases. The sources are fetched by apt and built below target/coreutils, once (see coreutils_sources.py); where that is not possible the study says so and ends. A run is some words of the command line and the symbolic ones after them; what they are is in coreutils_runs.py.
The exit status is 1 if a test does not do natively what was predicted, or a path ends in an error.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

# The scripts leave nothing behind in their folder.
sys.dont_write_bytecode = True
import coreutils_runs
import coreutils_sources as sources

# What is measured is found out each time, and not taken from what another run kept.
os.environ["INCISE_STORE"] = "none"

# What the paper on KLEE (OSDI 2008) says of the lines that its tests cover, over the 89 programs of coreutils 6.10, library code not counted.
KLEE = {"of all lines": 84.5, "median of the programs": 94.7, "mean of the programs": 90.9}
KLEE_FULL = 16
# A native run that takes longer than this many seconds is ended.
LONGEST_RUN = 10

Explored = collections.namedtuple("Explored", "paths errors tests agree seconds cut wrong")


def main():
    arguments = parse_arguments()
    incise = pathlib.Path(arguments.incise).absolute()
    if not incise.exists():
        sys.exit(f"{incise} is not there: run `make build` first")
    try:
        releases = [sources.release(name) for name in arguments.releases]
    except sources.Unavailable as missing:
        print(f"coreutils is left out: {missing}")
        return
    rows, wrong = [], []
    with tempfile.TemporaryDirectory() as folder:
        for program in arguments.programs or sources.PROGRAMS:
            row = study(incise, releases, program, pathlib.Path(folder), arguments)
            wrong += row.pop("wrong")
            rows.append(row)
            show(row, first=len(rows) == 1)
    summary(rows)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n")
    if wrong:
        sys.stdout.flush()
        sys.exit("WRONG:\n  " + "\n  ".join(wrong))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="which programs [default: all twelve]")
    parser.add_argument("--incise", default=sources.ROOT / "target/release/incise", help="the binary to measure")
    parser.add_argument("--releases", nargs=2, default=["8.32", "9.1"], help="the releases to compare; the second one is explored")
    parser.add_argument("--max-paths", type=int, default=400, help="tests of each run, at most")
    parser.add_argument("--max-time", default="30s", help="of each run, and of each comparison")
    parser.add_argument("--no-diff", action="store_true", help="leave the comparison out")
    parser.add_argument("--no-explore", action="store_true", help="leave the exploration out")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    return parser.parse_args()


def study(incise, releases, program, folder, arguments):
    row = {"program": program, "wrong": []}
    if not arguments.no_explore:
        row |= exploration(incise, releases[-1], program, folder, arguments)
    if not arguments.no_diff:
        row |= comparison(incise, releases, program, arguments)
    return row


# ---- Exploration --------------------------------------------------------------------------------


def exploration(incise, release, program, folder, arguments):
    """All runs of a program together."""
    coverage = Coverage(release, program, folder / f"{program}-coverage")
    total = collections.Counter()
    cut, wrong = [], []
    for number, run in enumerate(coreutils_runs.RUNS[program]):
        tests = folder / f"{program}-{number}"
        explored = explore(incise, release, program, run, tests, arguments)
        for name in ["paths", "errors", "tests", "agree", "seconds"]:
            total[name] += getattr(explored, name)
        cut += [reason for reason in explored.cut if reason not in cut]
        wrong += [f"{program} {run}: {what}" for what in explored.wrong]
        coverage.run(tests)
        shutil.rmtree(tests, ignore_errors=True)
    executed, lines = coverage.measured()
    return dict(total, runs=len(coreutils_runs.RUNS[program]), cut=cut, executed=executed, lines=lines, wrong=wrong)


def explore(incise, release, program, run, tests, arguments):
    command = [incise, "run", release.units(program), f"--cflags={sources.LENIENT}", "--tests", tests, "--format", "json", "--max-time", arguments.max_time, "--max-paths", str(arguments.max_paths), "--search", "coverage", "--closed", *shlex.split(run)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not done.stdout.startswith("{"):
        return Explored(0, 0, 0, 0, seconds, [], [done.stderr.strip()[-500:]])
    document = json.loads(done.stdout)
    wrong = [f"error: {path['outcome']} {path.get('error', {}).get('message', '')}" for path in document["paths"] if path["outcome"] == "error"]
    replayed = json.loads(subprocess.run([str(incise), "replay", str(tests), "--format", "json"], capture_output=True, text=True, check=False).stdout)
    told = replayed["summary"]
    wrong += [f"{test['name']}: predicted {test['predicted']}, {test['actual']}; {'; '.join(test['notes'])}" for test in replayed["tests"] if test["verdict"] == "disagrees"]
    # A path that ended as unsupported makes no prediction: it is counted as cut.
    return Explored(document["summary"]["paths"], document["summary"]["errors"], told["tests"] - told["not_checked"], told["confirmed"], seconds, reasons(document), wrong)


def reasons(document):
    """Why not everything was explored, in words."""
    found = [f"limit of {limit}" for limit in document["summary"]["limits"]]
    for path in document["paths"]:
        if "reason" in path:
            found.append(f"{path['outcome']}: {path['reason']} ({path['location']['file']}:{path['location']['line']})")
    return list(dict.fromkeys(found))


# ---- Coverage -----------------------------------------------------------------------------------


class Coverage:
    """The program in a build of its own that counts the lines it executes."""

    def __init__(self, release, program, folder):
        self.release, self.program, self.folder = release, program, folder
        self.source = release.own_source(program)
        folder.mkdir(parents=True)
        own, others = release.link(program)
        flags, source = release.flags(own)
        self.object = folder / "own.o"
        log = folder / "log"
        # Its path from the folder of the build, as in messages of the compiler.
        sources.call(["gcc", "--coverage", "-O0", "-w", *flags, "-c", source, "-o", self.object], log, cwd=release.source)
        sources.call(["gcc", "--coverage", "-o", folder / "program", self.object, *others], log, cwd=release.source)

    def run(self, tests):
        """Runs each test of a folder: its arguments, standard input, files and variables."""
        if not (tests / "manifest.json").exists():
            return
        manifest = json.loads((tests / "manifest.json").read_text())
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda path: self.run_test(json.loads(path.read_text()), manifest["arguments"]), sorted(tests.glob("test*.json"))))

    def run_test(self, test, given):
        with tempfile.TemporaryDirectory(dir=self.folder) as place:
            words, stdin, variables = surroundings(test, pathlib.Path(place))
            with open(stdin, "rb") as bytes_in:
                try:
                    subprocess.run([b"program", *(word.encode("latin-1") for word in given), *words], executable=self.folder / "program", stdin=bytes_in, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=place, env=variables, timeout=LONGEST_RUN, check=False)
                except subprocess.TimeoutExpired:
                    pass

    def measured(self):
        """How many lines of the program's own source were executed, and how many there are."""
        told = subprocess.run(["gcov", "--json-format", "--stdout", str(self.object)], cwd=self.release.source, capture_output=True, text=True, check=True)
        lines = {}
        for file in json.loads(told.stdout)["files"]:
            if pathlib.Path(file["file"]).name == self.source.name:
                for line in file["lines"]:
                    lines[line["line_number"]] = lines.get(line["line_number"], 0) + line["count"]
        return sum(count > 0 for count in lines.values()), len(lines)


def surroundings(test, place):
    """Puts the files of a test in place; gives the words of its command line, its standard input, and its variables."""
    extents = {each["origin"]["input"]: each for each in test["inputs"] if each["origin"]["kind"] == "extent"}
    words, variables = [], {}
    stdin = place.with_suffix(".stdin")
    stdin.write_bytes(b"")
    for each in test["inputs"]:
        kind, content = each["origin"]["kind"], bytes.fromhex(each["bytes"])
        text = content.split(b"\0")[0]
        present = each["name"] not in extents or any(bytes.fromhex(extents[each["name"]]["bytes"]))
        if kind == "argument" and present:
            words.append(text)
        elif kind == "stdin":
            stdin.write_bytes(content)
        elif kind == "file":
            (place / each["origin"]["name"]).write_bytes(content)
        elif kind == "environment" and present:
            variables[each["origin"]["name"].encode()] = text
    return words, stdin, variables


# ---- Comparison ---------------------------------------------------------------------------------


def comparison(incise, releases, program, arguments):
    """The verdict on two releases, for the inputs of one run."""
    old, new = (release.units(program) for release in releases)
    run = shlex.split(coreutils_runs.COMPARED[program])
    command = [str(word) for word in [incise, "diff", old, new, f"--cflags={sources.LENIENT}", "--entry", "main", "--verdict-only", "--format", "json", "--closed", "--max-time", arguments.max_time, *run]]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    row = {"compared_seconds": time.monotonic() - start}
    if not done.stdout.startswith("{"):
        return row | {"verdict": "none", "why": done.stderr.strip()[-300:]}
    entry = next(each for each in json.loads(done.stdout)["entries"] if each["name"] == "main")
    row["shown"] = [first_line(each) for each in entry["differences"]]
    return row | {"verdict": entry["verdict"], "pairs": entry["compared"]["pairs"], "why": "; ".join(entry["reasons"])}


def first_line(difference):
    """The input that shows a difference, as far as that is short."""
    return json.dumps(difference.get("inputs", difference), ensure_ascii=False)[:160]


# ---- Output -------------------------------------------------------------------------------------


def show(row, first):
    if first:
        print(f"{'program':9} {'runs':>4} {'paths':>6} {'errors':>6} {'tests':>6} {'agree':>6} {'lines':>15} {'time':>7}  {'verdict':12} what was cut")
    reasons_of_verdict = [f"verdict: {row['why']}"] if row.get("why") else []
    lines = f"{percent(row)} {row['executed']}/{row['lines']}" if "lines" in row else ""
    numbers = [row.get(name, "") for name in ["runs", "paths", "errors", "tests", "agree"]]
    seconds = f"{row['seconds']:.1f} s" if "seconds" in row else ""
    print(f"{row['program']:9} {numbers[0]:>4} {numbers[1]:>6} {numbers[2]:>6} {numbers[3]:>6} {numbers[4]:>6} {lines:>15} {seconds:>7}  {row.get('verdict', ''):12} {'; '.join(row.get('cut', []) + reasons_of_verdict)}", flush=True)
    for each in row.get("shown", [])[:3]:
        print(f"{'':9} differs with {each}", flush=True)


def percent(row):
    return f"{100 * row['executed'] / row['lines']:.1f}%"


def summary(rows):
    measured = sorted(100 * row["executed"] / row["lines"] for row in rows if "lines" in row)
    if not measured:
        return
    middle = (measured[(len(measured) - 1) // 2] + measured[len(measured) // 2]) / 2
    whole = 100 * sum(row["executed"] for row in rows if "lines" in row) / sum(row["lines"] for row in rows if "lines" in row)
    print(f"\nlines of {len(measured)} programs: {whole:.1f}% of all, median {middle:.1f}%, mean {sum(measured) / len(measured):.1f}%, {sum(each == 100 for each in measured)} of them in full")
    told = ", ".join(f"{words} {figure}%" for words, figure in KLEE.items())
    print(f"KLEE's paper, 89 programs of coreutils 6.10, an hour each: {told}, {KLEE_FULL} of them in full; it has no figures by program")


if __name__ == "__main__":
    main()
