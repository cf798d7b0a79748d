# The few commands people type. `make help` lists them; CMakePresets.json holds the build settings behind them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup packages build test trust trust-mutants crash workers fuzz http-fuzz demo bench install package format lint asan tsan clean

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
VARIATIONS ?= 5
RUNS ?= 20
SECONDS ?= 30
REQUESTS ?= 10000
SANITIZED_SUITES := ^(unit|contract|scenario|cli)$$

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z -]+:.*## / { printf "  make %-9s  %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: packages ## Install what is missing: Debian packages (setup/packages.txt), validators, coding CLIs and a browser for the tests (2.3 GB)
	@setup/oracles.sh
	@setup/real_agents.sh
	@setup/web_tests.sh
	@setup/forge_tests.sh

packages:
	@setup/install.sh
	@setup/web.sh

build: packages ## Build the program: build/emend
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend

test: setup ## Build everything and run every test
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS)
	ctest --preset dev --parallel $$(($(JOBS) + 1)) --no-label-summary # many of them mostly wait

trust: packages ## Whole sessions against agents, checks and machines that misbehave (VARIATIONS=5 of each scenario, SEED=, ONLY=A,B3)
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend emend-exec fake_agent fault_shim
	python3 tests/trust/trust.py --emend build/emend --fake-agent build/fake_agent --shim build/tests/libfault_shim.so --jobs $(JOBS) --variations $(VARIATIONS) --seed "$(SEED)" --only "$(ONLY)"

trust-mutants: packages ## Leave out each clause of the gate and each rule in turn: the suite must notice every time
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend_mutants emend_exec_mutants fake_agent
	python3 tests/trust/mutants.py --emend build/mutants/emend --fake-agent build/fake_agent --jobs $(JOBS)

crash: packages ## Kill, starve and unplug it everywhere: RUNS=20 pieces of work at every step, failing calls, lost power (SEED=, ONLY=step,call,machine,random,power)
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend emend-exec fake_agent fault_shim
	python3 tests/crash/crash.py --emend build/emend --fake-agent build/fake_agent --shim build/tests/libfault_shim.so --runs $(RUNS) --jobs $(JOBS) --seed "$(SEED)" --only "$(ONLY)"

workers: packages ## Kill two of four workers in RUNS=50 sessions, stop them, cut them off (SEED=, ONLY=four,killed,asleep,cut,...)
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend emend-exec fake_agent
	python3 tests/workers/workers.py --emend build/emend --fake-agent build/fake_agent --runs $(if $(filter file,$(origin RUNS)),50,$(RUNS)) --seed "$(SEED)" --only "$(ONLY)"

fuzz: packages ## Feed every reader of foreign text what breaks readers, under sanitizers (SECONDS=30 for each target, ONLY=sarif,verdict)
	cmake --preset fuzz
	cmake --build --preset fuzz --parallel $(JOBS)
	tools/fuzz.sh build/fuzz/emend_fuzz $(SECONDS) "$(ONLY)"

http-fuzz: packages ## Ask the running server REQUESTS=10000 odd things, from its OpenAPI document, in several states (SEED=)
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend emend-exec
	python3 -B tests/http/fuzz_test.py build/emend . --requests $(REQUESTS) --seed "$(SEED)"

demo: build ## Review and fix two small projects, without AI and with scripted agents: no key, about a minute
	@examples/demo/run.sh build/emend

bench: packages ## Build with optimisation and run the benchmarks
	@setup/install.sh setup/packages-bench.txt setup/packages-agents.txt
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)
	@for program in build/release/bench_*; do if [ -x "$$program" ]; then "$$program"; fi; done

install: packages ## Install into PREFIX (default /usr/local), below DESTDIR if given
	cmake --preset release -DEMEND_BENCH=OFF
	cmake --build --preset release --parallel $(JOBS) --target emend emend-exec emend_pages
	DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

package: packages ## Build a Debian package: build/package/emend_VERSION_ARCH.deb
	cmake --preset release -DEMEND_BENCH=OFF
	cmake --build --preset release --parallel $(JOBS) --target emend emend-exec emend_pages
	cpack --config build/release/CPackConfig.cmake -B build/package
	@ls build/package/*.deb

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
