#!/usr/bin/env python3
"""Prints Table 2 of the paper on directed incremental symbolic execution for the programs and versions of case-study/, and Tables I, II and III of the paper on its use across calls.

For each version, three ways to explore it: `exact` (our default), `paper` (Figure 6 to the letter) and `full`. Times are the tool's own, without clang; of short runs the
median of several counts. Below the tables stands where `exact` misses what we want of it, which depends on the machine and is only told. The exit status is 1 if a result is
wrong: not complete, more path conditions than full exploration has, the same one twice, affected paths without a change, or other numbers in another run. Of a program with calls,
also: other affected sequences than full exploration meets. Of coverage criteria: an obligation of which it is not known whether it can be covered.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What is measured is found out each time, and not taken from what another run kept.
os.environ["INCISE_STORE"] = "none"
STUDY = ROOT / "case-study"
PROGRAMS = ["wbs", "asw", "oae"]
# Programs of several functions, which get tables of their own: iDiSE (ICSM 2012), section V.
ACROSS_CALLS = ["advisory"]
STRATEGIES = ["exact", "paper", "full"]
# The criteria of impacted coverage that Table III of that paper compares, and the programs that we do so for.
CRITERIA = ["block", "branch", "path-fragment"]
WITH_CRITERIA = ["wbs", "advisory"]
# A run that takes longer than this, in milliseconds, is not repeated, unless its time is close to another's.
LONG = 300
# Of full exploration's time: what `exact` may take where it reports fewer path conditions, and where it reports all.
PARTIAL_GOAL, WHOLE_GOAL = 0.20, 1.10
# How many times fewer path conditions we want across calls.
FEWER_GOAL = 10
NUMBERS = ("changed_nodes", "affected_nodes", "states", "path_conditions", "queries")


def main():
    arguments = parse_arguments()
    studies = [Study(name) for name in arguments.programs or PROGRAMS + ACROSS_CALLS]
    if arguments.write:
        for study in studies:
            study.write(pathlib.Path(arguments.write))
        return
    incise = pathlib.Path(arguments.incise).absolute()
    if not incise.exists():
        sys.exit(f"{incise} is not there: run `make build` first")
    rows, across = [], []
    with tempfile.TemporaryDirectory() as folder:
        for study in studies:
            files = study.write(pathlib.Path(folder))
            versions = [each for each in study.versions if not arguments.versions or each.name in arguments.versions]
            if study.name in ACROSS_CALLS:
                measured = tables_across_calls(incise, study, versions, files, arguments.runs)
                across += measured
            else:
                print_head(study)
                measured = []
                for version in versions:
                    measured.append(measure(incise, study, version, files, arguments.runs))
                    print_row(measured[-1])
                rows += measured
            if study.name in WITH_CRITERIA:
                table_of_criteria(incise, study, versions, files, arguments.runs, measured)
    if rows:
        print_missed(rows)
    rows += across
    wrong = [f"{row['program']} {row['version']}: {what}" for row in rows for what in row.pop("wrong")]
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n")
    if wrong:
        sys.stdout.flush()
        sys.exit("WRONG:\n  " + "\n  ".join(wrong))


def print_missed(rows):
    missed = [line for row in rows for line in judge(row)]
    print(f"\n{len(rows)} versions. Where fewer path conditions are affected than there are, exact takes at most {PARTIAL_GOAL:.0%} of the time of full, "
          f"elsewhere at most {WHOLE_GOAL - 1:.0%} more" + (", but:" if missed else "."))
    for line in missed:
        print(f"  {line}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"which of {', '.join(PROGRAMS + ACROSS_CALLS)} [default: all]")
    parser.add_argument("--version", action="append", dest="versions", metavar="V", help="only this version; may be repeated")
    parser.add_argument("--incise", default=ROOT / "target/release/incise", help="the binary to measure")
    parser.add_argument("--runs", type=int, default=3, help="runs of which the median counts")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to a file")
    parser.add_argument("--write", metavar="FOLDER", help="write the versions into a folder, and explore nothing")
    return parser.parse_args()


class Version:
    def __init__(self, name, about):
        self.name, self.about = name, about
        self.base, self.parts, self.hunks, self.renames = "v0", [], [], []


class Study:
    """A program and its versions."""

    def __init__(self, name):
        self.name, self.entry, self.versions = name, None, []
        source = STUDY / f"{name}.c"
        if not source.exists():
            sys.exit(f"there is no program {name}: {source} is missing")
        self.base = source.read_text().splitlines()
        self.read(STUDY / f"{name}.versions")

    def read(self, file):
        hunk = None
        for number, line in enumerate(file.read_text().splitlines(), 1):
            here = f"{file.name}:{number}"
            if not line.strip() or line.startswith("#") or line.startswith("=="):
                hunk = None
            if not line.strip() or (line.startswith("#") and not self.versions):
                continue
            if line.startswith("entry "):
                self.entry = line.split()[1]
            elif line.startswith("=="):
                self.start(here, line[2:].strip())
            elif not self.versions:
                sys.exit(f"{here}: a change belongs to a version")
            elif line.startswith("rename "):
                self.versions[-1].renames.append(tuple(line.split()[1:3]))
            elif line[0] in " -+":
                if hunk is None:
                    hunk = []
                    self.versions[-1].hunks.append((here, hunk))
                hunk.append((line[0], line[1:]))
            else:
                sys.exit(f"{here}: not a line of a change: {line}")
        if self.entry is None:
            sys.exit(f"{file.name}: no entry is named")

    def start(self, here, head):
        name, _, about = head.partition(" ")
        if any(known.name == name for known in self.versions):
            sys.exit(f"{here}: {name} is there twice")
        version = Version(name, about)
        if about.startswith("= "):
            version.parts = about[2:].split()
        elif about.startswith("on "):
            version.base, _, version.about = about[3:].partition(": ")
        known = {"v0"} | {each.name for each in self.versions}
        for part in [version.base] + version.parts:
            if part not in known:
                sys.exit(f"{here}: {part} is not known here")
        self.versions.append(version)

    def text(self, version):
        """The lines of a version."""
        named = {each.name: each for each in self.versions}
        base = self.base if version.base == "v0" else self.text(named[version.base])
        lines = list(base)
        for part in [named[name] for name in version.parts] or [version]:
            for here, hunk in part.hunks:
                lines = apply(here, hunk, lines)
            for old, new in part.renames:
                if not any(re.search(rf"\b{old}\b", line) for line in lines) or any(re.search(rf"\b{new}\b", line) for line in lines):
                    sys.exit(f"{self.name} {part.name}: cannot rename {old} to {new}")
                lines = [re.sub(rf"\b{old}\b", new, line) for line in lines]
        if lines == base:
            sys.exit(f"{self.name} {version.name} changes nothing")
        return lines

    def write(self, folder):
        """Writes the base and the versions, and returns the files by name."""
        folder.mkdir(parents=True, exist_ok=True)
        files = {}
        for name, lines in [("v0", self.base)] + [(version.name, self.text(version)) for version in self.versions]:
            files[name] = folder / f"{self.name}-{name}.c"
            files[name].write_text("\n".join(lines) + "\n")
        return files


def apply(here, hunk, lines):
    """The lines with a change made, whose old lines must be there exactly once."""
    old = [line for mark, line in hunk if mark != "+"]
    new = [line for mark, line in hunk if mark != "-"]
    places = [at for at in range(len(lines) - len(old) + 1) if lines[at:at + len(old)] == old]
    if len(places) != 1 or not old:
        sys.exit(f"{here}: the old lines occur {len(places)} times in the program, not once:\n" + "\n".join(old))
    return lines[:places[0]] + new + lines[places[0] + len(old):]


def explore(incise, study, files, version, strategy):
    command = [incise, "diff", files[version.base], files[version.name], "--entry", study.entry, "--strategy", strategy, "--no-verdict", "--format", "json"]
    command += ["--both"] if study.name in ACROSS_CALLS else []
    if strategy != "full" or study.name in ACROSS_CALLS:
        return run_json(command)
    # More than a hundred megabytes for the largest program, of which only the summary counts.
    text = run_text(command)
    summary, _ = json.JSONDecoder().raw_decode(text, text.index("{", text.index('"summary"')))
    return {"summary": summary, "path_conditions": [None] * text.count('"affected_sequence"')}


def run_text(command):
    done = subprocess.run(command, capture_output=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr.decode()}")
    return done.stdout.decode()


def run_json(command):
    return json.loads(run_text(command))


def measure(incise, study, version, files, runs, strategies=STRATEGIES, look=None):
    """The figures of a version; `look` sees the first result of each strategy."""
    row = {"program": study.name, "version": version.name, "about": version.about, "wrong": []}
    times = {strategy: [] for strategy in strategies}
    # Round by round, so that a busy machine slows all strategies down alike.
    for _ in range(runs):
        whole = "full" in row and row["exact"]["path_conditions"] == row["full"]["path_conditions"]
        for strategy in strategies:
            compared = whole and strategy != "paper"
            if times[strategy] and times[strategy][0] > LONG and not compared:
                continue
            document = explore(incise, study, files, version, strategy)
            numbers = {name: document["summary"][name] for name in NUMBERS}
            if not times[strategy]:
                row["wrong"] += check(strategy, document)
                row[strategy] = numbers
                if look:
                    look(strategy, document)
            elif row[strategy] != numbers:
                row["wrong"].append(f"{strategy} gives other numbers in another run")
            times[strategy].append(document["summary"]["time_ms"])
    for strategy in strategies:
        row[strategy]["time_ms"] = statistics.median(times[strategy])
    exact, full = row["exact"], row["full"]
    if exact["path_conditions"] > full["path_conditions"]:
        row["wrong"].append(f"exact reports {exact['path_conditions']} path conditions, full {full['path_conditions']}")
    if version.about.startswith("no change") and exact["changed_nodes"] + exact["path_conditions"] > 0:
        row["wrong"].append("a change was found where there is none")
    return row


def check(strategy, document):
    """What is wrong with a result by itself."""
    summary, paths = document["summary"], document["path_conditions"]
    if not summary["complete"]:
        yield f"{strategy} is not complete: {summary['limits']}"
    if len(paths) != summary["path_conditions"]:
        yield f"{strategy} counts {summary['path_conditions']} path conditions and lists {len(paths)}"
    if strategy == "full":
        return
    changes = any(each["changed"] or each.get("added") or each["removed"] for each in document["functions"])
    if paths and not changes:
        yield f"{strategy} reports affected paths, but names no line that changed"
    if strategy == "exact":
        sequences = [json.dumps([path["affected_sequence"], path["outcome"], path["affected_constraints"]]) for path in paths]
        if len(set(sequences)) < len(sequences):
            yield "exact reports an affected sequence twice"


def judge(row):
    """Where `exact` takes longer than we want."""
    exact, full = row["exact"], row["full"]
    if exact["changed_nodes"] == 0 and exact["path_conditions"] == 0:
        return
    whole = exact["path_conditions"] == full["path_conditions"]
    ratio = exact["time_ms"] / max(full["time_ms"], 1e-3)
    if ratio > (WHOLE_GOAL if whole else PARTIAL_GOAL):
        kind = "all path conditions are affected" if whole else "not all path conditions are affected"
        yield f"{row['program']} {row['version']}: {ratio:.0%} of the time of full ({kind})"


def print_head(study):
    print(f"\n{study.name}.c, {study.entry}()\n")
    print(f"{'':<8} {'CFG nodes':>16}  {'time (ms)':^26}  {'states explored':^26}  {'path conditions':^26}  {'exact of full':>14}")
    thrice = "".join(f"{each:>9}" for each in STRATEGIES)
    print(f"{'version':<8} {'changed':>7} {'affected':>8} " + f" {thrice}" * 3 + f"  {'time':>7} {'paths':>6}", flush=True)


def print_row(row):
    exact, full = row["exact"], row["full"]
    times = "".join(f"{row[each]['time_ms']:>9.1f}" for each in STRATEGIES)
    states = "".join(f"{row[each]['states']:>9,}" for each in STRATEGIES)
    paths = "".join(f"{row[each]['path_conditions']:>9,}" for each in STRATEGIES)
    print(f"{row['version']:<8} {exact['changed_nodes']:>7} {exact['affected_nodes']:>8}  {times} {states} {paths}  "
          f"{exact['time_ms'] / max(full['time_ms'], 1e-3):>7.1%} {exact['path_conditions'] / max(full['path_conditions'], 1):>6.1%}", flush=True)


def tables_across_calls(incise, study, versions, files, runs):
    """Prints Tables I and II for a program, and returns the rows."""
    print(f"\n{study.name}.c, {study.entry}(); time and states, of the new version P' and the old version P of each pair (Table I)\n")
    heads = ["time of P' (ms)", "time of P (ms)", "states of P'", "states of P"]
    print(f"{'':<9} " + "  ".join(f"{head:^19}" for head in heads))
    print(f"{'versions':<9} " + "  ".join([f"{'full':>9} {'directed':>9}"] * len(heads)), flush=True)
    rows = []
    for version in versions:
        rows.append(measure_across_calls(incise, study, version, files, runs))
        print_cost(rows[-1])
    print(f"\n{study.name}.c, {study.entry}(); path conditions, and the constraints of the directed ones (Table II)\n")
    print(f"{'':<9} {'conditions of P' + chr(39):^27}  {'conditions of P':^18}  {'constraints of P' + chr(39):^31}  {'constraints of P':^31}")
    print(f"{'versions':<9} {'full':>8} {'directed':>9} {'fewer':>8}  {'full':>8} {'directed':>9}" + f"  {'impacted':>15} {'unimpacted':>15}" * 2 + "  change")
    for row in rows:
        print_constraints(row)
    print_fewer(rows)
    return rows


def table_of_criteria(incise, study, versions, files, runs, rows):
    """Prints Table III for a program, and adds its figures to the rows."""
    print(f"\n{study.name}.c, {study.entry}(); what covering the change takes, by criterion (Table III)\n")
    thrice = "".join(f"{each:>14}" for each in CRITERIA)
    print(f"{'':<9} {'time (ms)':^42}  {'states':^42}  {'path conditions':^50}")
    print(f"{'versions':<9} {thrice}  {thrice}  {'full':>8}{thrice}", flush=True)
    for version, row in zip(versions, rows):
        row["cover"] = {criterion: measure_cover(incise, study, version, files, runs, criterion, row["wrong"]) for criterion in CRITERIA}
        column = lambda name, form: "".join(f"{row['cover'][each][name]:>14{form}}" for each in CRITERIA)
        print(f"{version.base + ' ' + version.name:<9} {column('time_ms', '.1f')}  {column('states', ',')}  "
              f"{row['full']['path_conditions']:>8,}{column('path_conditions', ',')}", flush=True)


def measure_cover(incise, study, version, files, runs, criterion, wrong):
    """The figures of covering a version by a criterion."""
    command = [incise, "diff", files[version.base], files[version.name], "--entry", study.entry, "--cover", criterion, "--format", "json"]
    numbers, times = None, []
    while len(times) < runs and (not times or times[0] <= LONG):
        document = run_json(command)
        found = {name: document["summary"][name] for name in ("states", "path_conditions", "queries")}
        coverage = document.get("coverage")
        if coverage and not coverage["summary"]["complete"]:
            wrong.append(f"{criterion}: it is not known of every obligation whether it can be covered: {coverage['summary']['reasons']}")
        if numbers not in (None, found):
            wrong.append(f"{criterion} gives other numbers in another run")
        numbers = found
        times.append(document["summary"]["time_ms"])
    return numbers | {"time_ms": statistics.median(times)}


def measure_across_calls(incise, study, version, files, runs):
    """The figures of both versions of a pair; `look` sees each result once."""
    constraints, sequences, old = {"new": [], "old": []}, {}, {}

    def look(strategy, document):
        for which, member in (("new", "path_conditions"), ("old", "old_path_conditions")):
            paths = document.get(member, [])
            affected = [json.dumps([path["affected_sequence"], path["affected_sequence_functions"], path["outcome"]]) for path in paths if path["affected"]]
            sequences[which, strategy] = set(affected)
            if strategy == "exact":
                constraints[which].extend(each["affected"] for path in paths for each in path["constraints"])
        summaries = [entry["summary"] for entry in document.get("old_entries", [])]
        old[strategy] = {name: sum(each[name] for each in summaries) for name in ("time_ms", "states", "path_conditions")}

    row = measure(incise, study, version, files, runs, ["exact", "full"], look)
    row["base"], row["old"] = version.base, old
    row["constraints"] = {which: {"impacted": sum(each), "unimpacted": len(each) - sum(each)} for which, each in constraints.items()}
    for which in ("new", "old"):
        exact, full = sequences[which, "exact"], sequences[which, "full"]
        if exact != full:
            row["wrong"].append(f"of the {which} version, exact reports {len(exact - full)} affected sequences that full exploration does not meet, and lacks {len(full - exact)}")
    row["affected_sequences"] = len(sequences["new", "full"])
    return row


def fewer(row):
    """How many times fewer path conditions directed exploration has; none if there is no affected one."""
    directed = row["exact"]["path_conditions"]
    return row["full"]["path_conditions"] / directed if directed else None


def pair(row):
    return f"{row['base']} {row['version']}"


def print_cost(row):
    both = (row, row["old"])
    times = [f"{each['full']['time_ms']:>9.1f} {each['exact']['time_ms']:>9.1f}" for each in both]
    states = [f"{each['full']['states']:>9,} {each['exact']['states']:>9,}" for each in both]
    print(f"{pair(row):<9} " + "  ".join(times + states), flush=True)


def print_constraints(row):
    def shares(counts):
        total = max(sum(counts.values()), 1)
        return " ".join(f"{f'{count:,} ({count / total:.0%})':>15}" for count in counts.values())

    times, old, counts = fewer(row), row["old"], row["constraints"]
    print(f"{pair(row):<9} {row['full']['path_conditions']:>8,} {row['exact']['path_conditions']:>9,} {f'{times:,.1f}x' if times else '-':>8}  "
          f"{old['full']['path_conditions']:>8,} {old['exact']['path_conditions']:>9,}  {shares(counts['new'])}  {shares(counts['old'])}  {row['about']}")


def print_fewer(rows):
    """Says which versions miss the goal, functional changes and refactorings apart."""
    kinds = {"functional changes": [], "refactorings": []}
    for row in rows:
        refactoring = row["about"].startswith(("no change", "refactoring"))
        kinds["refactorings" if refactoring else "functional changes"].append(row)
    for kind, members in kinds.items():
        missed = [row for row in members if (fewer(row) or FEWER_GOAL) < FEWER_GOAL]
        print(f"\n{len(members)} {kind}, of which {len(members) - len(missed)} have no affected path condition or at least {FEWER_GOAL} times fewer than full"
              + (", but:" if missed else "."))
        for row in missed:
            print(f"  {pair(row)}: {fewer(row):.1f} times fewer ({row['about']})")


if __name__ == "__main__":
    main()
