#!/usr/bin/env bash
# Installs the Debian packages that Incise needs, and fetches the schema that tests read. Does nothing, quickly, when all of that
# is there.
#
# Usage: scripts/setup.sh [run|study|all]
#   run: what building and running need
#   study: what fetching and building GNU coreutils for the case study needs
#   all: also what the tests and benchmarks need (the default)
set -euo pipefail

# clang compiles the programs under study; the rest builds Bitwuzla; z3 gives a second opinion on its answers.
run_packages=(
    clang-19 libclang-rt-19-dev
    g++ gcc binutils libc6-dev
    meson ninja-build pkg-config python3
    libgmp-dev libcadical-dev libsymfpu-dev
    z3
)

# Older compilers check that the reader takes their LLVM IR too; csmith makes random programs; git makes revisions to compare;
# cmocka and CMake run the test sources that are written for them; the servers are stores that tests talk to; the browser
# opens pages; Python reads YAML and checks SARIF against its schema.
test_packages=(
    clang-15 clang-16
    csmith libcsmith-dev
    git
    libcmocka-dev cmake
    redis-server memcached lighttpd lighttpd-mod-webdav
    chromium-headless-shell python3 python3-jsonschema python3-yaml
)

# apt and dpkg-source fetch Debian's sources, which configure and make build; gcc's gcov counts lines.
study_packages=(
    dpkg-dev make patch xz-utils gcc libc6-dev
)

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

case "${1:-all}" in
    run) wanted=("${run_packages[@]}") ;;
    study) wanted=("${study_packages[@]}") ;;
    all) wanted=("${run_packages[@]}" "${test_packages[@]}") ;;
    *) fail "unknown set '$1': expected 'run', 'study' or 'all'" ;;
esac

if ! command -v cargo >/dev/null; then
    fail "cargo is missing: install Rust from https://rustup.rs, then try again"
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail "this is not a Debian system: no apt-get here" \
        "install what corresponds to these packages by hand, and use cargo directly:" \
        "${wanted[*]}"
fi

# The official schema of SARIF lies in a crate: cargo brings it, and nothing of it is compiled.
schemas=(--locked --manifest-path "$(dirname "$0")/../tests/schemas/Cargo.toml")
if [ "${1:-all}" = all ] && ! cargo metadata --offline --format-version 1 "${schemas[@]}" >/dev/null 2>&1; then
    cargo fetch --quiet "${schemas[@]}" || fail "cargo could not fetch the schema of SARIF: is there a network?"
fi

installed=$(dpkg-query --show --showformat='${db:Status-Abbrev}${Package}\n' "${wanted[@]}" 2>/dev/null || true)
missing=()
for package in "${wanted[@]}"; do
    grep --quiet --line-regexp --fixed-strings "ii $package" <<<"$installed" || missing+=("$package")
done
if [ "${#missing[@]}" -eq 0 ]; then
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "these packages are missing, and there is no sudo to install them:" \
        "${missing[*]}" "as root: apt-get install ${missing[*]}"
    as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" \
        >"$log" 2>&1
}

printf 'setup: installing %s\n' "${missing[*]}" >&2
# A mirror that is out of reach makes the update fail, though the lists may be good enough; the installation decides.
updated=yes
apt update || updated=no
if ! apt install --yes --no-install-recommends "${missing[@]}"; then
    tail -n 15 "$log" >&2
    if [ "$updated" = no ]; then
        fail "apt-get could not bring its lists up to date: is there a network?" "still to be installed: ${missing[*]}"
    fi
    fail "apt-get could not install: ${missing[*]}" "Debian 12 (bookworm) or later has them all, with its updates enabled"
fi
