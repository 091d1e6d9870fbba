#!/usr/bin/env python3
"""Prints how many statements `incise impact` marks in the versions of case-study/, beside a plain forward slice.

    scripts/precision.py [PROGRAM...] [--rules complete|paper|idise] [--incise FILE]

Of all statements that executions from the entry come to: `forward` are those that the change influences, `affected` also those that feed them or decide about
them, `slice` is the closure over data and control dependence without calling contexts, to be compared with `forward`. Each version is measured a second time with 50 functions
added that have nothing to do with the change; the exit status is 1 if that changes which statements are marked, or if a version has more forward than the slice."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from case_study import ACROSS_CALLS, PROGRAMS, ROOT, Study


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--rules", default="complete")
    parser.add_argument("--incise", default=ROOT / "target/release/incise", type=pathlib.Path)
    arguments = parser.parse_args()
    incise = arguments.incise.absolute()
    if not incise.exists():
        sys.exit(f"{incise} is not there: run `make build` first")
    wrong, totals = [], [0, 0, 0, 0]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in arguments.programs or PROGRAMS + ACROSS_CALLS:
            study = Study(name)
            files = study.write(folder)
            print(f"\n{name}: {'statements':>12} {'forward':>14} {'slice':>14} {'affected':>14}")
            for version in study.versions:
                found = figures(incise, study, files[version.base], files[version.name], arguments.rules)
                grown = [with_strangers(files[each], folder) for each in (version.base, version.name)]
                more = figures(incise, study, *grown, arguments.rules)
                if found is None:
                    print(f"  {version.name:6} nothing changed")
                    continue
                row(version.name, found["counts"])
                totals = [total + count for total, count in zip(totals, found["counts"])]
                if more is None or more["sets"] != found["sets"]:
                    wrong.append(f"{name} {version.name}: other statements are affected when unrelated functions are added")
                if found["counts"][1] > found["counts"][2]:
                    wrong.append(f"{name} {version.name}: more than a plain forward slice")
    print()
    row("all", totals)
    if wrong:
        sys.stdout.flush()
        sys.exit("WRONG:\n  " + "\n  ".join(wrong))


def row(name, counts):
    nodes, *marked = counts
    share = [f"{count:6} {count / nodes:6.1%}" for count in marked]
    print(f"  {name:6} {nodes:10} {' '.join(f'{text:>14}' for text in share)}")


def figures(incise, study, old, new, rules):
    """What is marked between two files: counts, and the sets themselves; None if nothing changed."""
    command = [incise, "impact", old, new, "--entry", study.entry, "--rules", rules, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
    document = json.loads(done.stdout)
    slice_ = document["summary"].get("forward_slice")
    if slice_ is None:
        return None
    sets = {each["name"]: each["affected_conditions"] + each["affected_writes"] for each in document["functions"]}
    return {"counts": [slice_[name] for name in ("nodes", "forward_nodes", "sliced_nodes", "affected_nodes")], "sets": sets}


def with_strangers(file, folder):
    """The program with functions that have nothing to do with it, which the entry does not call."""
    lines = ["struct stranger { int value; struct stranger *next; };", "static struct stranger *strangers;"]
    for number in range(50):
        lines += [
            f"static int stranger_state_{number};",
            f"static int stranger_{number}(int *p, int v) {{",
            "    struct stranger *each = strangers;",
            f"    while (each && each->value < v + stranger_state_{number})",
            "        each = each->next;",
            "    if (each)",
            "        *p = each->value;",
            f"    stranger_state_{number} = *p + v;",
            f"    return stranger_state_{number};",
            "}",
        ]
    lines.append(f"int (*stranger_table[50])(int *, int) = {{{', '.join(f'stranger_{number}' for number in range(50))}}};")
    lines += ["int all_strangers(int n) {", "    int sum = 0;", "    for (int i = 0; i < 50; i++)", "        sum += stranger_table[i](&sum, n);", "    return sum;", "}"]
    grown = folder / f"grown-{file.name}"
    grown.write_text(file.read_text() + "\n".join(lines) + "\n")
    return grown


if __name__ == "__main__":
    main()
