#!/usr/bin/env python3
"""Prints Table 3 of the paper on incremental symbolic execution of concurrent software (Conc-iSE, ASE 2016) for the programs and versions of case-study/threads.

For each version, what it takes to explore it: in every order (baseline, up to a limit of time), one execution for each trace (+DPOR), one for each trace of affected events
(+CIA), and what follows each state once (+SCIA). Times are the tool's own, without clang and without the analysis, which is told by itself. The exit status is 1 if a result is wrong: +DPOR or +CIA is not complete, +CIA has
more executions than +DPOR, another set of errors was introduced than what +DPOR finds, or a test does not run natively as it was predicted (with --replay).
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from case_study import ROOT, Study

# What is measured is found out each time, and not taken from what another run kept.
os.environ["INCISE_STORE"] = "none"
PROGRAMS = ["fib_bench", "account", "lazy01", "indexer", "read_read_write", "stateful01", "reorder", "twostage", "szymanski", "bluetooth", "circular_buffer",
            "lock_free_list", "lock_free_skip_list", "lock_free_hash_table"]
STRATEGIES = ["baseline", "dpor", "cia", "scia"]
# What we want in total, of the time of +DPOR.
GOALS = {"cia": 0.10, "scia": 0.05}


def main():
    arguments = parse_arguments()
    incise = pathlib.Path(arguments.incise).absolute()
    if not incise.exists():
        sys.exit(f"{incise} is not there: run `make build` first")
    strategies = STRATEGIES[1:] if arguments.no_baseline else STRATEGIES
    rows, wrong = [], []
    print_head(strategies)
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.programs or PROGRAMS:
            study = Study(f"threads/{name}")
            (pathlib.Path(folder) / "threads").mkdir(exist_ok=True)
            files = study.write(pathlib.Path(folder))
            for version in study.versions:
                row = measure(incise, study, version, files, (strategies, arguments))
                wrong += row.pop("wrong")
                rows.append(row)
                print_row(row, strategies)
    print_total(rows, strategies)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n")
    if wrong:
        sys.stdout.flush()
        sys.exit("WRONG:\n  " + "\n  ".join(wrong))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="which [default: all]")
    parser.add_argument("--incise", default=ROOT / "target/release/incise", help="the binary to measure")
    parser.add_argument("--max-time", default="20s", help="the limit of time of each exploration, in seconds")
    parser.add_argument("--no-baseline", action="store_true", help="leave out every order")
    parser.add_argument("--replay", action="store_true", help="also run each execution of +CIA natively")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to a file")
    return parser.parse_args()


def measure(incise, study, version, files, asked):
    strategies, arguments = asked
    command = [incise, "diff", files[version.base], files[version.name], "--entry", study.entry, "--format", "json"]
    # The limit is one of the whole command; the strategies share what the first exploration leaves.
    seconds = float(arguments.max_time.removesuffix("s"))
    limits = ["--max-time", f"{seconds * (len(strategies) + 1):g}s"]
    compared = run(command + ["--no-verdict", "--compare", ",".join(strategies)] + limits)
    here = f"{study.name} {version.name}"
    entries = compared["entries"]
    compare = entries[0].get("compare") if entries else None
    row = {
        "program": study.name.split("/")[-1],
        "version": version.name,
        "changes": compared["summary"]["changed_nodes"],
        "affected": compared["summary"]["affected_nodes"],
        "nodes": compared["summary"]["nodes"],
        "figures": {each["strategy"]: each for each in compare["strategies"]} if compare else {},
        "wrong": [],
    }
    figures = row["figures"]
    for strategy in ("dpor", "cia", "scia"):
        if figures and not figures[strategy]["complete"] and set(figures[strategy]["limits"]) != {"weak-memory"}:
            row["wrong"].append(f"{here}: {strategy} is not complete: {figures[strategy]['limits']}")
    if figures and figures["cia"]["executions"] > figures["dpor"]["executions"]:
        row["wrong"].append(f"{here}: +CIA has more executions than +DPOR")
    if figures and figures["scia"]["errors"] != figures["cia"]["errors"]:
        row["wrong"].append(f"{here}: +SCIA and +CIA find other errors")
    if arguments.replay and figures:
        with tempfile.TemporaryDirectory() as tests:
            replayed = run(command + ["--no-verdict", "--tests", f"{tests}/t", "--replay"] + limits)
            for each in replayed.get("replays", []):
                if each["summary"]["disagrees"] or each["summary"]["not_checked"]:
                    row["wrong"].append(f"{here}: not all tests are confirmed: {each['summary']}")
    return row


def run(command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(str(word) for word in command)}\n{done.stderr.decode()}")
    return json.loads(done.stdout)


def print_head(strategies):
    heads = "".join(f"{'+' + name.upper() if name != 'baseline' else 'Baseline':>12}{'':>10}" for name in strategies)
    print(f"{'':31}{'':>9}{'':>10}{heads}")
    print(f"{'program':<22}{'version':<9}{'changes':>9}{'impacted':>10}" + f"{'runs':>12}{'ms':>10}" * len(strategies))


def print_row(row, strategies):
    share = row["affected"] / row["nodes"] if row["nodes"] else 0.0
    text = f"{row['program']:<22}{row['version']:<9}{row['changes']:>9}{share:>10.1%}"
    for strategy in strategies:
        figures = row["figures"].get(strategy)
        if figures is None:
            text += f"{0:>12}{0.0:>10.1f}"
        elif "max-time" in figures["limits"] or "time" in figures["limits"]:
            text += f"{'-':>12}{'> limit':>10}"
        else:
            text += f"{figures['executions']:>12}{figures['time_ms']:>10.1f}"
    print(text, flush=True)


def print_total(rows, strategies):
    text = f"{'total':<31}{sum(row['changes'] for row in rows):>9}{'':>10}"
    times = {}
    for strategy in strategies:
        figures = [row["figures"][strategy] for row in rows if row["figures"]]
        times[strategy] = sum(each["time_ms"] for each in figures)
        text += f"{sum(each['executions'] for each in figures):>12}{times[strategy]:>10.1f}"
    print(text)
    print(f"\n{len(rows)} versions.")
    for strategy, goal in GOALS.items():
        part = times[strategy] / times["dpor"] if times["dpor"] else 0.0
        print(f"+{strategy.upper()} takes {part:.0%} of the time of +DPOR; {goal:.0%} is what we want" + ("." if part <= goal else ", but:"))
        for row in rows if part > goal else []:
            figures = row["figures"]
            if figures and figures[strategy]["time_ms"] > goal * figures["dpor"]["time_ms"] and figures["dpor"]["time_ms"] > times["dpor"] / 50:
                print(f"  {row['program']} {row['version']}: {figures[strategy]['time_ms']:.1f} of {figures['dpor']['time_ms']:.1f} ms")


if __name__ == "__main__":
    main()
