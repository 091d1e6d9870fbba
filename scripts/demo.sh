#!/usr/bin/env bash
# Shows the main jobs on examples: what a change does and affects, and a bug in a small C function with the proof on the real machine.
set -euo pipefail
cd "$(dirname "$0")/.."

incise=${INCISE:-target/release/incise}
if [ ! -x "$incise" ]; then
    echo "demo: $incise is not there: run 'make build' first" >&2
    exit 1
fi
tests=$(mktemp -d)
trap 'rm -rf "$tests"' EXIT

say() { printf '\n\033[1m# %s\033[0m\n' "$*"; }
# Errors are what the demo is about: exit status 1 is as it should be.
show() {
    printf '\033[1m$ incise %s\033[0m\n' "$*"
    status=0
    "$incise" "$@" || status=$?
    if [ "$status" -gt 1 ]; then
        echo "demo: incise ended with status $status" >&2
        exit 1
    fi
}

say "Someone made the middle of two indices easier to read:"
diff -U0 examples/verdict/middle-old.c examples/verdict/middle-new.c | tail -n +3 || true

say "What does that do? An input on which the versions differ, run on both:"
show diff examples/verdict/middle-old.c examples/verdict/middle-new.c --verdict-only

say "And another way to write it? Proved for every input:"
show diff examples/verdict/middle-old.c examples/verdict/middle-fixed.c --verdict-only

say "A brake controller was changed: == became <= in its first condition."
diff -U0 examples/diff/brake-old.c examples/diff/brake-new.c | tail -n +3 || true

say "Which lines does the change concern? (No solver is needed for this.)"
show impact examples/diff/brake-old.c examples/diff/brake-new.c

say "Which paths does it affect? One for every sequence of affected statements, each with an input and a test:"
show diff examples/diff/brake-old.c examples/diff/brake-new.c --entry update --no-verdict --tests "$tests/brake" --replay --compare full

say "Two shops sell from one stock. Someone made the critical section smaller:"
diff -U0 examples/threads/stock-old.c examples/threads/stock-new.c | tail -n +3 || true

say "What can happen now that could not happen before? An input, and an order of the threads that runs natively:"
show diff examples/threads/stock-old.c examples/threads/stock-new.c

say "A smaller section that is harmless? Proved for every input and every order:"
show diff examples/threads/stock-old.c examples/threads/stock-fine.c

say "A Bayesian network watches a brake controller. Which of its nodes does a change concern?"
show monitor examples/monitor/wbs.bif examples/monitor/old.c examples/monitor/new.c

say "Another job: this function writes a name of four characters in quotes. Is the buffer large enough?"
sed -n '/^int quote_name/,$p' examples/quote.c

say "Explore every path, for every name, and write a test for each:"
show run examples/quote.c --entry quote_name --no-null --tests "$tests/quote"

say "Ten bytes are one too few, but only if all four characters need a backslash."
say "Run those tests natively: does the machine do what was predicted?"
show replay "$tests/quote"
