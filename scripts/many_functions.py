#!/usr/bin/env python3
"""Makes a repository in which many functions of many units change, compares it with 1, 2... workers, and prints what
that takes: whether time grows with the number of functions and no faster, how much memory there is in use, whether any
function is compared twice, and whether the reports are the same.

    scripts/many_functions.py [UNITS [FUNCTIONS]]    100 units with 10 functions each if nothing is said
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

INCISE = os.environ.get("INCISE", os.path.join(os.path.dirname(__file__), "..", "target", "release", "incise"))


def function(unit, number, changed):
    """One of a few kinds: some do the same after the change, some do not, and some loop."""
    name, step = f"f{unit}_{number}", number + 3
    kind = number % 5
    if kind == 0:
        body = f"return x * {2 * step};" if changed else f"return (x + x) * {step};"
    elif kind == 1:
        bound = step + 1 if changed else step
        body = f"if (x > {bound}) return y; return x;"
    elif kind == 2:
        body = f"unsigned s = 0; for (int i = 0; i < 8; i++) s {'^' if changed else '+'}= (unsigned)p[i] << i; return (int)s;"
    elif kind == 3:
        order = ("y", "x") if changed else ("x", "y")
        body = f"struct pair q = {{x, y}}; return q.{'first' if changed else 'first'} + ({order[0]} ^ {order[1]});"
    else:
        body = f"int r = help{unit}(x, y); return {'r + x' if changed else 'x + r'};"
    return f"int {name}(int x, int y, unsigned char *p)\n{{\n    (void)y; (void)p;\n    {body}\n}}\n"


def write(folder, units, functions, changed):
    with open(os.path.join(folder, "pair.h"), "w") as file:
        file.write("struct pair { int first, second; };\n")
    for unit in range(units):
        text = '#include "pair.h"\n' + f"static int help{unit}(int a, int b) {{ return a > b ? a : b; }}\n"
        text += "".join(function(unit, number, changed) for number in range(functions))
        with open(os.path.join(folder, f"u{unit:03}.c"), "w") as file:
            file.write(text)


def make(folder, units, functions):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=T", "-c", "user.email=t@example.org", *words], cwd=folder, check=True)

    git("init", "-q")
    write(folder, units, functions, False)
    git("add", "-A")
    git("commit", "-q", "-m", "before")
    write(folder, units, functions, True)
    commands = [
        {"directory": folder, "file": f"u{unit:03}.c", "arguments": ["cc", "-c", f"u{unit:03}.c"]} for unit in range(units)
    ]
    with open(os.path.join(folder, "compile_commands.json"), "w") as file:
        json.dump(commands, file)


def without_times(text):
    return re.sub(r'("[a-z_]*(?:ms|seconds)"): ?[0-9.e+-]+', r"\1: 0", text)


def run(folder, jobs):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    command = [INCISE, "diff", "--format", "json", "--budget", "1h", "-q", "-j", str(jobs)]
    # The second run must not be answered by the first.
    alone = {**os.environ, "INCISE_STORE": "none"}
    timed = ["/usr/bin/env", "time", "-f", "%M", *command]
    done = subprocess.run(timed, cwd=folder, capture_output=True, text=True, env=alone)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    report = json.loads(done.stdout)
    names = [(each["unit"], each["name"]) for each in report["functions"]]
    assert len(names) == len(set(names)), "a function is there twice"
    return wall, used, int(done.stderr.split()[-1]) / 1024, len(names), without_times(done.stdout)


def main():
    units = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    functions = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    print(f"{'units':>6} {'functions':>9} {'workers':>7} {'wall s':>8} {'cpu s':>8} {'ms each':>8} {'MB':>6}  report")
    for count in sorted({max(1, units // 4), max(1, units // 2), units}):
        with tempfile.TemporaryDirectory() as folder:
            make(folder, count, functions)
            first = None
            for jobs in (1, 2):
                wall, used, memory, compared, report = run(folder, jobs)
                first = first or report
                same = "the same" if report == first else "ANOTHER"
                each = 1000 * used / max(1, compared)
                print(f"{count:>6} {compared:>9} {jobs:>7} {wall:>8.1f} {used:>8.1f} {each:>8.0f} {memory:>6.0f}  {same}")


if __name__ == "__main__":
    main()
