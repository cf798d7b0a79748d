# The few commands people type. `make help` lists them; CMakePresets.json holds the build settings behind them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup packages build test demo bench install format lint asan tsan clean

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SANITIZED_SUITES := ^(unit|contract|scenario|cli)$$

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z ]+:.*## / { printf "  make %-9s  %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: packages ## Install what is missing: Debian packages (setup/packages.txt), validators and coding CLIs for the tests (1.4 GB)
	@setup/oracles.sh
	@setup/real_agents.sh

packages:
	@setup/install.sh

build: packages ## Build the program: build/emend
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend

test: setup ## Build everything and run every test
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS)
	ctest --preset dev --parallel $(JOBS) --no-label-summary

demo: build ## Review and fix two small projects, without AI and with scripted agents: no key, about a minute
	@examples/demo/run.sh build/emend

bench: packages ## Build with optimisation and run the benchmarks
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)
	@for program in build/release/bench_*; do if [ -x "$$program" ]; then "$$program"; fi; done

install: packages ## Install into PREFIX (default /usr/local), below DESTDIR if given
	cmake --preset release -DEMEND_BENCH=OFF
	cmake --build --preset release --parallel $(JOBS) --target emend emend-exec
	DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

format: ## Format the C++ sources in place
	@setup/install.sh setup/packages-dev.txt
	git ls-files -z '*.cpp' '*.hpp' | xargs -0 clang-format -i

lint: packages ## Run clang-tidy on changed files (ALL=1: on every file, SINCE=ref: changed since ref)
	@setup/install.sh setup/packages-dev.txt
	tools/lint.sh $(if $(ALL),--all) $(if $(SINCE),--since $(SINCE))

asan tsan: packages ## The same tests under a sanitizer: address and undefined, or thread
	cmake --preset $@
	cmake --build --preset $@ --parallel $(JOBS)
	ctest --preset $@ --parallel $(JOBS) --label-regex '$(SANITIZED_SUITES)'

clean: ## Remove everything that was built
	rm -rf build
