#!/usr/bin/env python3
"""Measures target/release/incise on the programs of bench/, beside KLEE's figures, and GenMC's and Nidhugg's for threads.

Builds nothing but the native calibration workload and the programs' IR. A figure is the median of several runs, in CPU time of the process without
clang and without start-up, as a ratio to bench/calibrate.c, which runs in between: clock speeds drift, and other work on the machine must not matter.
Two ways are measured: `explore` finds all paths and errors; `inputs` also finds and writes the condition and the inputs of every path, as KLEE does
with its test files. With --heavy also a long run (parse_int, N=9) and a million live states (diamonds, N=20).
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What is measured is found out each time, and not taken from what another run kept.
os.environ["INCISE_STORE"] = "none"
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

# program with threads, size, traces, GenMC's and Nidhugg's ratio to calibrate.c (bench/README.md), as far as they are known
THREADS = [
    ("readers", 13, 8192, 0.21, 1.94),
    ("lastzero", 10, 3328, 0.32, 0.79),
    ("lastzero", 15, 147456, 29.1, 112.8),
    ("casrot", 9, 8597, 0.16, 1.43),
    ("columns", 8, 12870, 3.64, 1.71),
    ("columns", 9, 48620, None, None),
    ("increments", 7, 5040, 0.57, 0.69),
    ("fib_bench", 4, 19605, 0.25, 1.70),
    ("indexer", 15, 4096, None, None),
]


def main():
    arguments = parse_arguments()
    incise = pathlib.Path(arguments.incise).absolute()
    if not incise.exists():
        sys.exit(f"{incise} is not there: run `make build` first")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(incise, pathlib.Path(folder), arguments.runs)
        print(f"{'':<12} {'':>7} {'':>12} {'':>8} {'CPU ms':>16} {'ratio':>15} {'KLEE':>6} {'speed-up':>15}")
        print(f"{'program':<12} {'paths':>7} {'instructions':>12} {'queries':>8} {'explore':>8}{'inputs':>8} "
              f"{'explore':>8}{'inputs':>7} {'ratio':>6} {'explore':>8}{'inputs':>7}  goal")
        wrong = sum(bench.measure(*program) for program in PROGRAMS)
        bench.concrete_speed()
        bench.startup()
        wrong += bench.threads()
        wrong += bench.branches_around_a_change()
        wrong += bench.verdict_on_a_line()
        wrong += bench.impact_of_a_line()
        wrong += bench.impact_on_a_program()
        wrong += bench.line_among_workers()
        if arguments.heavy:
            bench.long_run()
            wrong += bench.million_states()
    sys.exit(1 if wrong else 0)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--incise", default=ROOT / "target/release/incise", help="the binary to measure")
    parser.add_argument("--runs", type=int, default=3, help="runs of each program, of which the median counts")
    parser.add_argument("--heavy", action="store_true", help="also the long run and the million states")
    return parser.parse_args()


def cpu_seconds(command, output=subprocess.DEVNULL):
    """The CPU time of a process and those it waited for, and its output."""
    process = subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE)
    written, talk = process.stdout, process.stderr
    data = written.read() if written else b""
    words = talk.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 3):
        sys.exit(f"{command} failed:\n{words.decode()}")
    return usage.ru_utime + usage.ru_stime, data


def median(times):
    return statistics.median(times)


def around_a_change(lines, condition):
    """A program of about so many lines: one function with a condition, among functions that decide and loop over other variables."""
    count = max((lines - 9) // 12, 1)
    steps = []
    for i in range(count):
        steps.append(f"""static void step{i}(int a) {{
    if (in[{i}] > {i})
        out[{i}] = in[{i}];
    else if (a > {i})
        out[{i}] = a;
    else
        out[{i}]++;
    for (int k = 0; k < 3; k++)
        if (in[{i}] == k)
            out[{i}] += k;
}}
""")
    changed = f"static int price(int x) {{\n    if ({condition})\n        return 1;\n    return 2;\n}}\n"
    calls = [f"    step{i}(a);\n" for i in range(count)]
    body = "".join(calls[:count // 2]) + "    r = price(x);\n" + "".join(calls[count // 2:])
    return f"int in[{count}], out[{count}], r;\n" + "".join(steps) + changed + f"int f(int x, int a) {{\n{body}    return r;\n}}\n"


class Bench:
    def __init__(self, incise, folder, runs):
        self.incise, self.folder, self.runs = incise, folder, runs
        self.calibration = folder / "calibrate"
        subprocess.run(["cc", "-O1", "-o", self.calibration, BENCH / "calibrate.c"], check=True)
        trivial = folder / "trivial.c"
        trivial.write_text("int main(void) { return 0; }\n")
        self.trivial = self.compile(trivial)
        self.idle = median([cpu_seconds([incise, "run", self.trivial])[0] for _ in range(max(runs, 5))])

    def compile(self, source, size=None):
        """The IR of a program, made as incise makes it."""
        target = self.folder / f"{source.stem}-{size}.ll"
        command = ["clang-19", "-S", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-g", "-w",
                   "-fno-discard-value-names", "-I", ROOT / "crates/incise-libc/include", "-o", target, source]
        subprocess.run(command + ([f"-DN={size}"] if size else []), check=True)
        return target

    def summary(self, program, *options):
        command = [self.incise, "run", program, "--format", "json", "--max-time", "30m", *options]
        return json.loads(cpu_seconds(command, subprocess.PIPE)[1])["summary"]

    def measure(self, name, size, paths, klee, wanted):
        program = self.compile(BENCH / f"{name}.c", size)
        explore, inputs, ratios = [], [], []
        for _ in range(self.runs):
            native, _ = cpu_seconds([self.calibration])
            explore.append(max(cpu_seconds([self.incise, "run", program])[0] - self.idle, 1e-4))
            inputs.append(max(cpu_seconds([self.incise, "run", program, "--format", "json"])[0] - self.idle, 1e-4))
            ratios.append((explore[-1] / native, inputs[-1] / native))
        summary = self.summary(program)
        ratio_explore, ratio_inputs = (median(each) for each in zip(*ratios))
        label = name if size is None else f"{name} {size}"
        right = paths in (None, summary["paths"]) and summary["complete"]
        remark = "" if right else f"  WRONG: expected {paths} paths, complete"
        if right and klee / ratio_explore < wanted:
            remark = "  below the goal"
        print(f"{label:<12} {summary['paths']:>7} {summary['instructions']:>12} {summary['queries']:>8} "
              f"{median(explore) * 1e3:>8.1f}{median(inputs) * 1e3:>8.1f} {ratio_explore:>8.4f}{ratio_inputs:>7.3f} {klee:>6.2f} "
              f"{klee / ratio_explore:>7.1f}x{klee / ratio_inputs:>6.1f}x {wanted:>4}x{remark}")
        sys.stdout.flush()
        return 0 if right else 1

    def concrete_speed(self):
        program = self.compile(BENCH / "crc.c", 1 << 23)
        times = [cpu_seconds([self.incise, "run", program])[0] - self.idle for _ in range(self.runs)]
        instructions = self.summary(program)["instructions"]
        print(f"\nconcrete code (crc of 8 MiB): {instructions / median(times) / 1e6:.0f} million instructions a second (goal 60, KLEE about 6)")

    def startup(self):
        """What a run costs beside clang: CPU time for a program that does nothing."""
        print(f"start-up: {self.idle * 1e3:.1f} ms of CPU for the LLVM IR of an empty main (goal below 20)")

    def threads(self):
        """Programs with threads: the whole command, clang included, as the others' figures are."""
        print("\nprograms with threads (ratio: CPU time of the whole command by calibrate.c; events: executions times their mean length)")
        print(f"{'program':<13} {'executions':>10} {'blocked':>7} {'CPU ms':>8} {'a second':>9} {'events/s':>10} {'ratio':>7} {'GenMC':>7} {'Nidhugg':>8}")
        wrong = 0
        for name, size, traces, genmc, nidhugg in THREADS:
            source = BENCH / "threads" / f"{name}.c"
            command = [self.incise, "run", source, "-D", f"N={size}", "-j", "1", "-q"]
            times, ratios = [], []
            for _ in range(1 if traces > 100000 else self.runs):
                native, _ = cpu_seconds([self.calibration])
                times.append(cpu_seconds(command)[0])
                ratios.append(times[-1] / native)
            summary = self.summary(source, "-D", f"N={size}", "-j", "1")
            # The first executions are as long as the others: they end alike.
            some = json.loads(cpu_seconds(command + ["--format", "json", "--all", "--max-paths", "40"], subprocess.PIPE)[1])["paths"]
            lengths = [len(path["schedule"]) for path in some if path.get("schedule")]
            steps = statistics.mean(lengths) if lengths else 0
            right = summary["paths"] == traces and summary["blocked"] == 0 and summary["complete"]
            speed = traces / median(times)
            known = [f"{ratio:.2f}" if ratio else "-" for ratio in (genmc, nidhugg)]
            print(f"{name + ' ' + str(size):<13} {summary['paths']:>10} {summary['blocked']:>7} {median(times) * 1e3:>8.0f} {speed:>9.0f} {speed * steps:>10.0f} "
                  f"{median(ratios):>7.2f} {known[0]:>7} {known[1]:>8}{'' if right else f'  WRONG: expected {traces}'}")
            sys.stdout.flush()
            wrong += 0 if right else 1
        return wrong

    def versions(self, name, old, new):
        """The IR of two versions of a program."""
        programs = []
        for version, text in (("old", old), ("new", new)):
            source = self.folder / f"{name}-{version}.c"
            source.write_text(text)
            programs.append(self.compile(source))
        return programs

    def branches_around_a_change(self):
        """One changed condition among n others: states and time must grow with n, not double with each."""
        print("\none changed condition among n others (incise diff; full exploration has 2^(n+1) paths)")
        print(f"{'n':>6} {'paths':>6} {'states':>7} {'queries':>8} {'ms':>8} {'us/n':>7}")
        wrong = 0
        for count in (10, 30, 100, 300, 1000):
            def text(operator):
                around = [f"    if (in[{i}] > {i})\n        out[{i}] = in[{i}];\n" for i in range(count)]
                middle = f"    if (x {operator} 3)\n        r = 1;\n    else\n        r = 2;\n"
                body = "".join(around[:count // 2]) + middle + "".join(around[count // 2:])
                return f"int in[{count}], out[{count}], r;\nint f(int x) {{\n{body}    return r;\n}}\n"
            programs = self.versions(f"around-{count}", text("<"), text("<="))
            command = [self.incise, "diff", *programs, "--entry", "f", "--no-verdict", "--format", "json"]
            summary = json.loads(cpu_seconds(command, subprocess.PIPE)[1])["summary"]
            right = summary["path_conditions"] == 2 and summary["complete"] and summary["states"] <= count
            print(f"{count:>6} {summary['path_conditions']:>6} {summary['states']:>7} {summary['queries']:>8} "
                  f"{summary['time_ms']:>8.2f} {summary['time_ms'] * 1e3 / count:>7.1f}{'' if right else '  WRONG'}")
            wrong += 0 if right else 1
        return wrong

    def verdict_on_a_line(self):
        """What one changed line does, in programs of growing size: branches, loops and calls around it that have nothing to do with it."""
        print("\nthe verdict on one changed line (incise diff; all: CPU time with reading both versions and running witnesses natively)")
        print(f"{'lines':>6} {'change':<12} {'verdict':<8} {'states':>7} {'queries':>8} {'verdict ms':>11} {'all ms':>8}")
        changes = [("< to <=", "x < 30", "x <= 30", "differs"), ("x*2 to x<<1", "x * 2 < 30", "x << 1 < 30", "same")]
        wrong = 0
        for size in (100, 1000, 10000):
            for name, before, after, expected in changes:
                old, new = around_a_change(size, before), around_a_change(size, after)
                programs = self.versions(f"verdict-{size}", old, new)
                command = [self.incise, "diff", *programs, "--entry", "f", "--verdict-only", "--format", "json"]
                runs = [cpu_seconds(command, subprocess.PIPE) for _ in range(self.runs)]
                entries = [json.loads(data)["entries"][0] for _, data in runs]
                verdict, compared = entries[0]["verdict"], entries[0]["compared"]
                time_ms = median([entry["compared"]["time_ms"] for entry in entries])
                right = verdict == expected
                print(f"{new.count(chr(10)):>6} {name:<12} {verdict:<8} {compared['states']:>7} {compared['queries']:>8} "
                      f"{time_ms:>11.1f} {median([seconds for seconds, _ in runs]) * 1e3:>8.0f}{'' if right else '  WRONG'}")
                sys.stdout.flush()
                wrong += 0 if right else 1
        return wrong

    def impact_of_a_line(self):
        """The static analysis alone, on a file of 10,000 lines of which one changed, and of which none did."""
        def text(constant):
            functions = []
            for i in range(500):
                steps = "".join(f"    if (a > {j}) x += b * {j};\n    else x -= g{j % 7};\n" for j in range(8))
                call = f"    x += f{i - 1}(a, b);\n" if i % 10 else ""
                last = constant if i == 250 else 1
                functions.append(f"int f{i}(int a, int b) {{\n    int x = {last};\n{steps}{call}    g{i % 7} = x;\n    return x;\n}}\n")
            return "".join(f"static int g{i};\n" for i in range(7)) + "".join(functions)
        old, new = text(1), text(2)
        programs = self.versions("large", old, new)
        lines = new.count("\n")
        command = lambda pair: [self.incise, "impact", *pair, "--format", "json"]
        times = [cpu_seconds(command(programs))[0] - self.idle for _ in range(self.runs)]
        equal = [cpu_seconds(command([programs[0], programs[0]]))[0] - self.idle for _ in range(self.runs)]
        print(f"\nincise impact on {lines} lines: {median(times) * 1e3:.0f} ms of CPU for one changed line, "
              f"{median(equal) * 1e3:.0f} ms for none, reading the IR of both included")
        return 0

    def impact_on_a_program(self):
        """The static analysis of a program of 50,000 lines in many files, end to end, and beside it clang alone."""
        folder = self.folder / "big"
        subprocess.run([ROOT / "scripts/big_program.py", folder], check=True, stdout=subprocess.DEVNULL)
        lines = sum(file.read_text().count("\n") for file in (folder / "new").iterdir())
        command = [self.incise, "impact", folder / "old", folder / "new", "--format", "json"]
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True)
        wall = time.monotonic() - start
        if done.returncode != 1:
            print(f"incise impact on {lines} lines failed: {done.stderr[-500:]}")
            return 1
        analysis = json.loads(done.stdout)["summary"]["time_ms"] / 1e3
        print(f"incise impact on a program of {lines} lines: {wall:.1f} s end to end, of these {analysis:.1f} s without clang and reading "
              f"(goal at most 10 s in all)")
        return 0

    def line_among_workers(self):
        """A changed line in one of many workers, each of which shares a lock with one other: what it costs must not depend on how many there are."""
        def text(workers, amount):
            lines = ["#include <pthread.h>", "#include <stdatomic.h>", f"static int count[{workers}];", f"static atomic_int total[{workers}];",
                     f"static pthread_mutex_t lock[{workers}];"]
            for worker in range(workers):
                group = worker // 2
                lines += [f"static void *worker{worker}(void *unused) {{", f"    pthread_mutex_lock(&lock[{group}]);",
                          f"    count[{group}] += {amount if worker == 3 else 1};", f"    pthread_mutex_unlock(&lock[{group}]);",
                          f"    atomic_fetch_add(&total[{group}], 1);", "    return unused;", "}"]
            lines += ["int main(void) {", f"    pthread_t threads[{workers}];", f"    for (int i = 0; i < {workers}; i++)",
                      "        pthread_mutex_init(&lock[i], 0);"]
            lines += [f"    pthread_create(&threads[{worker}], 0, worker{worker}, 0);" for worker in range(workers)]
            lines += [f"    for (int i = 0; i < {workers}; i++)", "        pthread_join(threads[i], 0);", "    return 0;", "}", ""]
            return "\n".join(lines)
        print()
        wrong = 0
        for workers in (5, 50):
            programs = self.versions(f"workers{workers}", text(workers, 1), text(workers, 2))
            command = [self.incise, "diff", *programs, "--strategy", "cia", "--no-verdict", "--format", "json"]
            times = [cpu_seconds(command)[0] - self.idle for _ in range(self.runs)]
            done = subprocess.run(command, capture_output=True, text=True)
            summary = json.loads(done.stdout)["summary"]
            print(f"one changed line among {workers} workers: {summary['executions']} executions, {summary['affected_nodes']} of {summary['nodes']} statements "
                  f"affected, {median(times) * 1e3:.0f} ms of CPU, reading the IR of both included")
            wrong += summary["executions"] != 2 or not summary["complete"]
        return wrong

    def long_run(self):
        """Whether solver calls become dearer as a run grows."""
        summary = self.summary(self.compile(BENCH / "parse_int.c", 9))
        first, last = summary["solver_first_tenth_us"], summary["solver_last_tenth_us"]
        print(f"long run (parse_int 9): {summary['paths']} paths, {summary['queries']} queries in {summary['solver_ms']:.0f} ms, "
              f"{summary['time_ms'] / 1e3:.1f} s in all, {summary['peak_memory'] / 1e6:.0f} MB")
        print(f"  mean solver call: {first:.2f} us in the first tenth, {last:.2f} us in the last "
              f"(ratio {last / first if first else 0:.2f}, goal at most 2)")

    def million_states(self):
        """Whether a million live states fit in 4 GB, by the kernel's count of the process."""
        program = self.compile(BENCH / "diamonds.c", 20)
        command = [self.incise, "run", program, "--search", "bfs", "--stats", "--max-memory", "8G", "--max-time", "30m",
                   "--max-paths", "2000000"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        text = process.stdout.read().decode()
        _, _, usage = os.wait4(process.pid, 0)
        memory = usage.ru_maxrss / 1024
        waiting = next((line for line in text.splitlines() if line.startswith("memory:")), "")
        print(f"million states (diamonds 20, breadth-first): {memory:.0f} MB at most (goal 4096), "
              f"{usage.ru_utime + usage.ru_stime:.1f} s of CPU\n  {text.splitlines()[0]}\n  {waiting}")
        return 0 if memory <= 4096 and "1048576 paths" in text else 1


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
