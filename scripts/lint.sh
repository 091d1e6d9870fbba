#!/usr/bin/env bash
# Checks what can be checked without running anything: format, warnings, lines, scripts, licences of dependencies.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo fmt --all --check
cargo clippy --workspace --features incise/shared-store --all-targets --locked -- --deny warnings

scripts/line_length.py

for script in scripts/*.sh tests/*.sh .ci/run; do
    if [ -e "$script" ]; then bash -n "$script"; fi
done

# Advisories need a network, and change by the day: a fault that someone finds elsewhere is no fault of a commit.
if command -v cargo-deny >/dev/null; then
    cargo deny --all-features check bans licenses sources
else
    echo 'lint: cargo-deny is not installed, licences are not checked (cargo install cargo-deny)' >&2
fi
