#!/usr/bin/env bash
# Runs all tests: those of cargo, then each script in tests/.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo test --workspace --locked

shopt -s nullglob
for script in tests/*.sh; do
    printf '== %s\n' "$script"
    "$script"
done
