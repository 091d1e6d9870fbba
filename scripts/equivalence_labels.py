#!/usr/bin/env python3
"""Checks the labels of crates/incise/tests/equivalence natively, without Incise: both versions run on many inputs and are compared bit by bit.

A pair that is called the same must never differ, and one that differs should do so on some input; a pair that differs on one input of billions is
listed as not seen. Inputs are random, with a liking for small numbers, limits, and what floating point is known for. Parameters can be numbers and pointers to numbers
and structs; globals are filled with random bytes. Usage: scripts/equivalence_labels.py [-n INPUTS] [NAME...]
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAIRS = ROOT / "crates/incise/tests/equivalence"

HARNESS = r"""
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static sigjmp_buf h_out;
static int h_status;
static void h_signal(int number) { siglongjmp(h_out, number); }
static void h_exit(int status) { h_status = status; siglongjmp(h_out, 100); }
#define exit(status) h_exit(status)
#include "@SOURCE@"
#undef exit

static uint64_t h_next(void) {
    static uint64_t seed = 12345;
    uint64_t word = seed += 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
}

static uint64_t h_integer(void) {
    static const int64_t near[] = {0, 8, 16, 32, 50, 64, 100, 127, 128, 180, 255, 256, 360, 400, 500, 640, 740, 1000, 4096, 32768, 65536, 2147483648};
    switch (h_next() % 6) {
    case 0: return h_next();
    case 1: return h_next() % 8;
    case 2: return near[h_next() % (sizeof near / sizeof *near)] + (int64_t)(h_next() % 3) - 1;
    case 3: return h_next() % 128;
    case 4: return -(h_next() % 1000);
    default: return (int64_t)h_next() >> (h_next() % 64);
    }
}

static double h_real(void) {
    static const double near[] = {0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 10.0, 0.1, 100.0, 8.0, 1e300, -1e300, 1e-310, 5e-324, 1e16,
                                  __builtin_inf(), -__builtin_inf(), __builtin_nan("")};
    uint64_t word = h_next();
    double any;
    memcpy(&any, &word, sizeof any);
    switch (h_next() % 4) {
    case 0: return any;
    case 1: return near[word % (sizeof near / sizeof *near)];
    case 2: return (double)(word % 200) - 100;
    default: return ((double)(word >> 11) / 9007199254740992.0 - 0.5) * 20;
    }
}

static void h_show(const char *name, double value) {
    if (value != value)
        printf(" %s=nan", name);
    else
        printf(" %s=%a", name, value);
}

static void h_bytes(const char *name, const void *bytes, size_t count) {
    printf(" %s=", name);
    for (size_t i = 0; i < count; i++)
        printf("%02x", ((const unsigned char *)bytes)[i]);
}

static void h_fill(void *bytes, size_t count) {
    for (size_t i = 0; i < count; i += 4) {
        uint32_t word = (uint32_t)h_integer();
        memcpy((char *)bytes + i, &word, count - i < 4 ? count - i : 4);
    }
}

int main(int argc, char **argv) {
    int signals[] = {SIGFPE, SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGVTALRM};
    for (int i = 0; i < 7; i++)
        signal(signals[i], h_signal);
    struct itimerval soon = {{0, 0}, {0, 20000}}, never = {{0, 0}, {0, 0}};
    int endless = 0;
    for (long h_number = 0; h_number < atol(argv[1]) && endless < 20; h_number++) {
        printf("#%ld", h_number);
        @INPUTS@
        int how = sigsetjmp(h_out, 1);
        if (how == 0) {
            setitimer(ITIMER_VIRTUAL, &soon, 0);
            @CALL@
        } else if (how == 100) {
            printf(" exited %d", h_status);
        } else if (how == SIGVTALRM) {
            printf(" endless");
            endless++;
        } else {
            printf(" failed");
        }
        setitimer(ITIMER_VIRTUAL, &never, 0);
        if (how == 0) {
            @OUTPUTS@
        }
        printf("\n");
        fflush(stdout);
    }
}
"""

FLOATS = ("double", "float")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--inputs", type=int, default=10000, help="inputs for each pair")
    parser.add_argument("name", nargs="*", help="only pairs whose names contain one of these")
    arguments = parser.parse_args()
    wrong = unseen = 0
    for pair in sorted(PAIRS.iterdir()):
        if arguments.name and not any(name in pair.name for name in arguments.name):
            continue
        label, differing, example = judge(pair, arguments.inputs)
        if label != "differs" and differing:
            wrong += 1
            print(f"{pair.name}: WRONG, {label}, and {differing} inputs differ, as in\n  {example[0]}\n  {example[1]}")
        elif label == "differs" and not differing:
            unseen += 1
            print(f"{pair.name}: differs, not seen")
        else:
            print(f"{pair.name}: {label}, {differing} inputs differ")
        sys.stdout.flush()
    print(f"{wrong} labels are wrong, {unseen} differences were not seen")
    sys.exit(1 if wrong else 0)


def judge(pair, inputs):
    """The label, how many inputs differ, and what both versions say on one of them."""
    labelled = pair / "old.c" if pair.is_dir() else pair
    label = dict(re.findall(r"^// (\w+): (.*)$", labelled.read_text(), re.M))
    said = []
    with tempfile.TemporaryDirectory() as folder:
        for version in ("old", "new"):
            source = pair / f"{version}.c" if pair.is_dir() else pair
            entry = label["entry"] if pair.is_dir() else f"{version}_{label['entry']}"
            program = build(pathlib.Path(folder) / version, source, entry, label)
            done = subprocess.run([program, str(inputs)], capture_output=True, text=True, errors="replace", check=True)
            said.append(re.split(r"(?m)^#", done.stdout)[1:])
    differing = [(old.strip(), new.strip()) for old, new in zip(*said) if old != new]
    return label["verdict"], len(differing), differing[0] if differing else None


def build(program, source, entry, label):
    """Compiles a version with a main function that calls its entry."""
    text = source.read_text()
    options = label.get("options", "")
    declared = re.search(rf"^(?:static )?([\w ]+?[ *]){entry}\(([^)]*)\) {{", text, re.M)
    result = declared.group(1).strip()
    before, after, arguments = [], [], []
    for kind, names in re.findall(r"^(?:static )?(?!const|static)((?:unsigned |signed )?(?:struct )?\w+) ([^(){}=;]*);", text, re.M):
        for name in sorted(re.sub(r"\[.*", "", each.strip()) for each in names.split(",")):
            before.append(f"{name} = h_real();" if kind in FLOATS else f"h_fill(&{name}, sizeof {name});")
            after.append(f'h_show("{name}", {name});' if kind in FLOATS else f'h_bytes("{name}", &{name}, sizeof {name});')
    for index, parameter in enumerate([] if declared.group(2) == "void" else declared.group(2).split(",")):
        kind, name = re.match(r"^(.*?[\s*])(\w+)$", parameter.strip()).groups()
        kind, argument = kind.strip(), f"h_p{index}"
        arguments.append(argument)
        if "*" in kind:
            base = kind.replace("*", "").replace("const", "").strip()
            elements = dict(re.findall(r"--array (\w+)=(\d+)", options)).get(name, 1)
            null = "0" if "--no-null" in options else "h_next() % 4 == 0"
            before.append(f"{base} h_o{index}[{elements}]; h_fill(h_o{index}, sizeof h_o{index}); {base} *{argument} = {null} ? 0 : h_o{index};")
            after.append(f'h_bytes("{argument}", h_o{index}, sizeof h_o{index});')
        elif kind in FLOATS:
            before.append(f'{kind} {argument} = h_real(); h_show("{argument}", {argument});')
        else:
            before.append(f"{kind} {argument} = h_integer();")
            if label["loops"] != "none":
                # So that loops end soon, mostly very soon.
                before.append(f"if ({argument} < 0 || {argument} > 3000 || h_number % 4) {argument} &= h_number % 4 ? 15 : 1023;")
            before.append(f'printf(" {argument}=%lld", (long long){argument});')
    call = f"{entry}({', '.join(arguments)})"
    if result in FLOATS:
        call = f'h_show("result", {call})'
    elif result != "void":
        call = f'printf(" result=%lld", (long long){call})'
    parts = {"SOURCE": str(source), "INPUTS": " ".join(before), "CALL": call + ";", "OUTPUTS": " ".join(after)}
    harness = program.with_suffix(".c")
    harness.write_text(re.sub(r"@(\w+)@", lambda part: parts[part.group(1)], HARNESS))
    flags = ["-O0", "-w", "-fwrapv", "-fsanitize=bounds", "-fsanitize-trap=bounds"]
    subprocess.run(["clang-19", *flags, "-o", program, harness, "-lm"], check=True)
    return program


if __name__ == "__main__":
    main()
