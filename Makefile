# One word for each chore. Everything that a target needs is set up first; the second time that takes no time.

.DEFAULT_GOAL := help
.PHONY: help setup setup-run build demo test test-pairs test-labelled test-threads test-thread-pairs test-long bless bench case-study precision lint

help: ## Shows this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Installs the Debian packages that building, testing and measuring need
	@scripts/setup.sh all

# What building and running need; `make demo` does not wait for the compilers that only tests use.
setup-run:
	@scripts/setup.sh run

build: setup-run ## Builds target/release/incise, with stores that machines share
	cargo build --release --locked --features incise/shared-store

demo: build ## Shows what Incise does, on small programs
	scripts/demo.sh

test: setup ## Runs all tests, random ones on a sample of programs
	scripts/test.sh

test-pairs: setup ## Compares all random pairs of functions over buffers, strings, structs, lists and trees
	INCISE_LONG=1 cargo test -p incise-incremental --locked --test all -- natural_pairs --show-output

test-labelled: setup ## Compares all pairs whose verdict is known, and all harmful changes of functions, and runs the whole corpus
	INCISE_LONG=1 cargo test -p incise --features incise/shared-store --locked --test all -- equivalence:: corpus:: --show-output
	INCISE_FUNCTIONS=harmful cargo test -p incise --features incise/shared-store --locked --test all -- functions:: --show-output
	INCISE_LONG=1 cargo test -p incise-incremental --locked --test all -- induction:: --show-output

test-threads: setup ## Explores all random programs with threads, beside an interpreter that tries every order
	INCISE_LONG=1 cargo test -p incise-exec --locked --test all -- each_trace all_ends_of_all_orders --show-output

test-thread-pairs: setup ## Compares all random pairs of programs with threads, beside an interpreter that tries every order
	INCISE_LONG=1 cargo test -p incise-incremental --locked --test all -- verdicts_on_threads each_trace_of_affected --show-output

test-long: setup ## Runs all tests on all random programs, and prints what they counted
	INCISE_LONG=1 scripts/test.sh

bless: setup ## Writes all expected outputs anew
	INCISE_BLESS=1 cargo test -p incise -p incise-llvm --locked --test all -- blessed readme

bench: setup build ## Runs the benchmarks, beside KLEE's figures
	scripts/bench.py

case-study: build ## Explores the versions of case-study/ and prints the papers' tables, also of real libraries and programs
	scripts/case_study.py
	scripts/thread_study.py --max-time 10s
	scripts/suite_study.py
	@scripts/setup.sh study
	scripts/coreutils_study.py
	scripts/library_study.py
	scripts/patch_study.py

precision: build ## Prints how many statements the versions of case-study/ affect, beside a plain slice
	scripts/precision.py

lint: setup-run ## Checks format, warnings, scripts and licences
	scripts/lint.sh
