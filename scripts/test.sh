#!/usr/bin/env bash
# Runs all tests: those of cargo, then each script in tests/. With INCISE_LONG=1 random tests take all their programs, and what
# they counted is printed.
set -euo pipefail
cd "$(dirname "$0")/.."

shown=()
if [ "${INCISE_LONG:-}" = 1 ]; then
    shown=(-- --show-output)
fi
# Examples in documentation are looked for where there are some: it takes a compilation for each crate.
cargo test --workspace --features incise/shared-store --locked --lib --bins --tests "${shown[@]}"
cargo test --package incise-bitwuzla --locked --doc

shopt -s nullglob
for script in tests/*.sh; do
    printf '== %s\n' "$script"
    "$script"
done
