#!/usr/bin/env python3
"""Measures target/release/incise on the programs of bench/, beside KLEE's figures.

Builds nothing but the native calibration workload. Each figure is the median of several runs; ratios are to bench/calibrate.c,
which runs in between, because clock speeds drift. With --heavy also a long run (parse_int, N=9) and a million live states (diamonds, N=20).
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / "bench"

# program, size or None, paths, KLEE's ratio to calibrate.c (bench/README.md), the speed-up that we want at least
PROGRAMS = [
    ("sort", 6, 720, 9.31, 30),
    ("glob", 6, 4328, 1.31, 10),
    ("glob", 7, None, 4.06, 10),
    ("parse_int", 5, 429, 0.18, 1),
    ("maze", 8, 941, 0.10, 1),
    ("crc", None, 1, 6.61, 10),
    ("diamonds", 12, 4096, 0.72, 10),
    ("diamonds", 14, 16384, 2.43, 10),
    ("muldiv", None, 14, 0.85, 1),
    ("table", None, 4, 0.15, 1),
]


def main():
    arguments = parse_arguments()
    incise = pathlib.Path(arguments.incise)
    if not incise.exists():
        sys.exit(f"{incise} is not there: run `make build` first")
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        calibrate = pathlib.Path(folder) / "calibrate"
        subprocess.run(["cc", "-O1", "-o", calibrate, BENCH / "calibrate.c"], check=True)
        print(f"{'program':<12} {'paths':>7} {'instructions':>12} {'queries':>8} {'time ms':>9} "
              f"{'ratio':>7} {'KLEE':>6} {'speed-up':>8} {'wanted':>6}")
        for program in PROGRAMS:
            failures += measure(incise, calibrate, program, arguments.runs)
        failures += concrete_speed(incise, arguments.runs)
        startup(incise, arguments.runs)
        if arguments.heavy:
            long_run(incise)
            failures += million_states(incise)
    sys.exit(1 if failures else 0)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--incise", default=ROOT / "target/release/incise", help="the binary to measure")
    parser.add_argument("--runs", type=int, default=3, help="runs of each program, of which the median counts")
    parser.add_argument("--heavy", action="store_true", help="also the long run and the million states")
    return parser.parse_args()


def explore(incise, name, size, *options):
    """The summary of a run, its solver stages, and the CPU seconds of the process without clang's."""
    command = [incise, "run", BENCH / f"{name}.c", "--format", "json", "--max-time", "30m", *options]
    if size is not None:
        command.append(f"-DN={size}")
    finished = subprocess.run(command, capture_output=True, check=False)
    if finished.returncode not in (0, 1, 3):
        sys.exit(f"{name}: incise failed:\n{finished.stderr.decode()}")
    return json.loads(finished.stdout)


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(incise, calibrate, program, runs):
    name, size, paths, klee, wanted = program
    times, ratios = [], []
    for _ in range(runs):
        native = cpu_seconds([calibrate])
        summary = explore(incise, name, size)["summary"]
        times.append(summary["time_ms"])
        ratios.append(summary["time_ms"] / 1e3 / native)
    ratio = statistics.median(ratios)
    speed_up = klee / ratio
    label = name if size is None else f"{name} {size}"
    right = (paths is None or summary["paths"] == paths) and summary["complete"]
    remark = "" if right else f"  WRONG: expected {paths} paths, complete"
    if right and speed_up < wanted:
        remark = "  below the goal"
    print(f"{label:<12} {summary['paths']:>7} {summary['instructions']:>12} {summary['queries']:>8} "
          f"{statistics.median(times):>9.1f} {ratio:>7.3f} {klee:>6.2f} {speed_up:>7.1f}x {wanted:>5}x{remark}")
    sys.stdout.flush()
    return 0 if right else 1


def concrete_speed(incise, runs):
    rates = []
    for _ in range(runs):
        summary = explore(incise, "crc", None)["summary"]
        rates.append(summary["instructions"] / summary["time_ms"] * 1e3)
    rate = statistics.median(rates) / 1e6
    print(f"\nconcrete code (crc): {rate:.0f} million instructions a second (goal 60, KLEE about 6)")
    return 0


def startup(incise, runs):
    """What a run costs beside clang and exploring: the whole, minus clang on the same file, minus the exploration."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "empty.c"
        source.write_text("int f(int x) { return x; }\n")
        compiled = pathlib.Path(folder) / "empty.ll"
        clang = ["clang-19", "-S", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-g", "-o", compiled, source]
        whole, alone, ready = [], [], []
        for _ in range(max(runs, 5)):
            alone.append(wall(clang))
            whole.append(wall([incise, "run", source, "--entry", "f", "--quiet"]))
            ready.append(wall([incise, "run", compiled, "--entry", "f", "--quiet"]))
    print(f"start-up: {statistics.median(whole) * 1e3:.0f} ms for a C file, of which clang {statistics.median(alone) * 1e3:.0f} ms; "
          f"{statistics.median(ready) * 1e3:.0f} ms for LLVM IR (goal 20)")


def wall(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def long_run(incise):
    """Whether solver calls become dearer as a run grows."""
    summary = explore(incise, "parse_int", 9)["summary"]
    first, last = summary["solver_first_tenth_us"], summary["solver_last_tenth_us"]
    print(f"long run (parse_int 9): {summary['paths']} paths, {summary['queries']} queries in {summary['solver_ms']:.0f} ms, "
          f"{summary['time_ms'] / 1e3:.1f} s in all, {summary['peak_memory'] / 1e6:.0f} MB")
    print(f"  mean solver call: {first:.2f} us in the first tenth, {last:.2f} us in the last "
          f"(ratio {last / first if first else 0:.2f}, goal at most 2)")


def million_states(incise):
    summary = explore(incise, "diamonds", 20, "--search", "bfs", "--max-memory", "4G", "--max-paths", "2000000")["summary"]
    memory, states = summary["peak_memory"], summary["peak_states"]
    print(f"million states (diamonds 20, breadth-first): {states} live states at most, {memory / 2**30:.2f} GiB at most "
          f"(goal 4), {summary['paths']} paths, {summary['time_ms'] / 1e3:.1f} s, complete: {summary['complete']}")
    return 0 if memory <= 4 << 30 and states >= 1 << 19 else 1


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
