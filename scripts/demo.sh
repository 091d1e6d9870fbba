#!/usr/bin/env bash
# Shows the main job on an example: a bug in a small C function, an input that shows it, and the proof on the real machine.
set -euo pipefail
cd "$(dirname "$0")/.."

incise=${INCISE:-target/release/incise}
if [ ! -x "$incise" ]; then
    echo "demo: $incise is not there: run 'make build' first" >&2
    exit 1
fi
tests=$(mktemp -d)/tests
trap 'rm -rf "$(dirname "$tests")"' EXIT

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

say "This function writes a name of four characters in quotes. Is the buffer large enough?"
sed -n '/^int quote_name/,$p' examples/quote.c

say "Explore every path, for every name, and write a test for each:"
show run examples/quote.c --entry quote_name --no-null --tests "$tests"

say "Ten bytes are one too few, but only if all four characters need a backslash."
say "Run those tests natively: does the machine do what was predicted?"
show replay "$tests"

say "Find the argument that a program accepts:"
show run examples/word.c --sym-args 1 4 --format json |
    python3 -c '
import json, sys
command, document = sys.stdin.read().split("\n", 1)
print(command)
for path in json.loads(document)["paths"]:
    if path["result"] == 0:
        print("accepted:", path["inputs"]["arg1"], "-> prints", path["stdout"].strip())'
