# The few commands people type. `make help` lists them; CMakePresets.json holds the build settings behind them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup packages test-packages build test test-long trust trust-mutants crash workers team upgrade fuzz http-fuzz demo screens lighthouse conformance editors vscode plain bench replay precision install package npm format lint asan tsan clean

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
VARIATIONS ?= 5
RUNS ?= 20
SECONDS ?= 30
SAMPLE ?= 40
REQUESTS ?= 10000
SANITIZED_SUITES := ^(unit|contract|scenario|cli)$$
# Left to test-long: an older generation of a coding CLI, 120 workers on one server, Firefox, what the small GitHub plays once more at other forges, and the families of forged fixes but for a few.
LONG_TESTS := claude197|workers_crowd|^team$$|web_firefox|forge_(hostileinline|gitlabhostile|giteahostile|giteastory)|trust_family_(adaptive|bar|caller|constructor|framework|hard|judge|reads|shadowing|state|summary|test_deleted|test_skipped|unfenced|unneeded)

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z -]+:.*## / { printf "  make %-13s  %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: test-packages ## Install what the tests need: Debian packages (setup/packages*.txt), validators, coding CLIs and a browser (2.3 GB)
	@setup/oracles.sh
	@setup/real_agents.sh
	@setup/web_tests.sh
	@setup/forge_tests.sh
	@setup/openid_tests.sh

packages:
	@setup/install.sh setup/packages.txt setup/packages-develop.txt
	@setup/web.sh

test-packages: packages
	@setup/install.sh setup/packages-tests.txt

build: packages ## Build the program: build/emend
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend

test: setup ## Build everything and run every test
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS)
	ctest --preset dev --parallel $$((2 * $(JOBS) + 1)) --no-label-summary -E '$(LONG_TESTS)' # most of them mostly wait

test-long: editors ## Every test in its long form, one after the other: for a release, some hours
	$(MAKE) test
	ctest --preset dev --parallel $$((2 * $(JOBS) + 1)) --no-label-summary -R '$(LONG_TESTS)'
	$(MAKE) trust trust-mutants crash workers team fuzz http-fuzz

trust: test-packages ## Run whole sessions with agents, checks and machines that misbehave (VARIATIONS=5 of each, SEED=, ONLY=A,B3, FAMILIES=exit_forged,honest)
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend emend-exec fake_agent fault_shim
	python3 tests/trust/trust.py --emend build/emend --fake-agent build/fake_agent --shim build/tests/libfault_shim.so --jobs $(JOBS) --variations $(VARIATIONS) --seed "$(SEED)" --only "$(ONLY)"
	python3 tests/trust/trust.py --families --emend build/emend --fake-agent build/fake_agent --jobs $(JOBS) --variations $(VARIATIONS) --seed "$(SEED)" --only "$(FAMILIES)"

trust-mutants: test-packages ## Remove each rule of the gate in turn: the tests must notice it every time
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend_mutants emend_exec_mutants fake_agent
	python3 tests/trust/mutants.py --emend build/mutants/emend --fake-agent build/fake_agent --jobs $(JOBS)

crash: test-packages ## Stop emend at every step, fail its system calls, cut the power: RUNS=20 of each (SEED=, ONLY=step,call,machine,random,power)
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend emend-exec fake_agent fault_shim
	python3 tests/crash/crash.py --emend build/emend --fake-agent build/fake_agent --shim build/tests/libfault_shim.so --runs $(RUNS) --jobs $(JOBS) --seed "$(SEED)" --only "$(ONLY)"

workers: test-packages ## Kill, stop and disconnect workers in RUNS=50 sessions (SEED=, ONLY=four,killed,asleep,cut,...)
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend emend-exec fake_agent
	python3 tests/workers/workers.py --emend build/emend --fake-agent build/fake_agent --runs $(if $(filter file,$(origin RUNS)),50,$(RUNS)) --seed "$(SEED)" --only "$(ONLY)"
	python3 tests/workers/crowd.py --emend build/emend --fake-agent build/fake_agent

team: test-packages ## Two servers, 50 workers, 20 repositories and 30 people for SECONDS=600 while servers, workers and the database are killed (SEED=)
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend emend-exec
	python3 tests/team/team.py --emend build/emend --sources . --workers 50 --repositories 20 --people 30 --issues 60 --seconds $(if $(filter file,$(origin SECONDS)),600,$(SECONDS)) --seed "$(SEED)"

upgrade: test-packages ## A session of this version with a worker of another one, and the other way round: FROM=v1.2.0 (it is built), or PREVIOUS=/usr/bin/emend
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend emend-exec fake_agent
	python3 tests/upgrade/upgrade.py --emend build/emend --fake-agent build/fake_agent --from "$(FROM)" --previous "$(PREVIOUS)"

fuzz: test-packages ## Fuzz every parser of foreign text under sanitizers (SECONDS=30 for each target, ONLY=sarif,verdict)
	cmake --preset fuzz
	cmake --build --preset fuzz --parallel $(JOBS)
	tools/fuzz.sh build/fuzz/emend_fuzz $(SECONDS) "$(ONLY)"

http-fuzz: test-packages ## Fuzz the running server with REQUESTS=10000 requests made from its OpenAPI document (SEED=)
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS) --target emend emend-exec
	python3 -B tests/http/fuzz_test.py build/emend . --requests $(REQUESTS) --seed "$(SEED)"

conformance: build ## Hold the MCP server against the official conformance suite and inspector (npm, 330 MB)
	@setup/npm_packages.sh tests/mcp/conformance 200
	@cd tests/mcp/conformance && npm install --no-save --no-package-lock --ignore-scripts --omit=optional --no-audit --no-fund --loglevel=error @modelcontextprotocol/inspector@2.12.0
	python3 -B tests/mcp/conformance/run.py build/emend

editors: ## Unpack a newer Neovim and Helix for the tests of the language server (85 MB)
	@setup/editors.sh

vscode: build ## Package the extension for VS Code and try it in code-server and Chromium (npm, 800 MB)
	@setup/npm_packages.sh tests/lsp/vscode 800
	@cd tests/lsp/vscode/node_modules/code-server/lib/vscode && [ -d node_modules ] || npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
	@setup/web_tests.sh
	python3 -B tests/lsp/vscode/run.py build/emend .

plain: ## Try the packages of `make package npm` on a clean Debian 12 and 13, where nothing is built (as root, with debootstrap)
	tests/packaging/plain_debian.sh build/package

screens: build ## Take pictures of the dashboard's main states, three sizes, both themes: build/screenshots/index.html
	@setup/web_tests.sh
	cmake --build --preset dev --parallel $(JOBS) --target emend-exec
	EMEND_EVERY_SIZE=1 python3 -B tests/web/browser_test.py build/emend build/screenshots

# The dashboard, for which npm would be installed, and the tests come with `make build`, unless they are there already.
demo: ## Review and fix two small projects, without AI and with scripted agents: no key, about a minute
	@setup/install.sh
	cmake --preset dev $$([ -e web/node_modules/.installed ] || echo -DEMEND_DASHBOARD=OFF -DEMEND_TESTS=OFF)
	cmake --build --preset dev --parallel $(JOBS) --target emend
	@examples/demo/run.sh build/emend

bench: packages ## Build with optimisation and measure: one table, build/release/bench.json; ONLY=plan,import for some of it, ONLY=evidence for what the experiments cost
	@setup/install.sh setup/packages-tests.txt setup/packages-bench.txt setup/packages-agents.txt
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)
	@bench/table.py --only "$(ONLY)" --json build/release/bench.json
	@failed=""; if [ -z "$(ONLY)" ]; then for program in build/release/bench_*; do \
	  if [ -x "$$program" ]; then "$$program" || failed="$$failed $$(basename $$program)"; fi; done; fi; \
	  if [ -n "$$failed" ]; then echo "over a limit or broken:$$failed" >&2; exit 1; fi
	@if [ -z "$(ONLY)" ]; then python3 -B bench/screens.py --emend build/release/emend || [ $$? = 77 ]; fi

lighthouse: build ## Lighthouse's scores of the dashboard's pages, and what scripts they load (installs 185 MB from npm)
	@setup/web_tests.sh
	@setup/npm_packages.sh bench/lighthouse 185
	python3 -B bench/screens.py --emend build/emend --issues 5000 --runs 1 --lighthouse

replay: build ## Play known right and wrong patches of public corpora, and everyday fixes (SAMPLE=40 bugs of each, 0: all; ONLY=quixbugs,everyday; FROM=folder of clones)
	cmake --build --preset dev --parallel $(JOBS) --target emend-exec
	python3 -B bench/replay.py --emend build/emend --jobs $(JOBS) --sample $(SAMPLE) --only "$(ONLY)" $(if $(FROM),--from "$(FROM)")

precision: build ## Review public repositories and count what is worth reading: FROM=folder of clones, ONLY=names, PEERS=1 runs the tools by hand, too
	cmake --build --preset dev --parallel $(JOBS) --target emend-exec
	python3 -B bench/precision/precision.py --emend build/emend --from "$(FROM)" --only "$(ONLY)" $(if $(PEERS),--peers)

install: packages ## Install to PREFIX (default /usr/local), below DESTDIR if set
	cmake --preset release -DEMEND_BENCH=OFF
	cmake --build --preset release --parallel $(JOBS) --target emend emend-exec emend_pages
	DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

package: packages ## Build a Debian package: build/package/emend_VERSION_ARCH.deb
	cmake --preset release -DEMEND_BENCH=OFF
	cmake --build --preset release --parallel $(JOBS) --target emend emend-exec emend_pages
	cpack --config build/release/CPackConfig.cmake -B build/package
	@ls build/package/*.deb

npm: packages ## Build the npm packages and a tarball: build/package/*.tgz, *.tar.gz
	cmake --preset release -DEMEND_BENCH=OFF
	cmake --build --preset release --parallel $(JOBS) --target emend emend-exec emend_pages
	rm -rf build/stage && cmake --install build/release --prefix build/stage --strip
	@packaging/npm/pack.py build/stage "$$(build/stage/bin/emend --version | awk '{print $$2}')" build/package

format: packages ## Format the C++ sources in place
	git ls-files -z '*.cpp' '*.hpp' | xargs -0 clang-format -i

lint: packages ## Run clang-tidy on changed files (ALL=1: on every file, SINCE=ref: changed since ref)
	tools/lint.sh $(if $(ALL),--all) $(if $(SINCE),--since $(SINCE))

asan tsan: test-packages ## Run the tests under a sanitizer: address and undefined, or thread
	cmake --preset $@
	cmake --build --preset $@ --parallel $(JOBS)
	ctest --preset $@ --parallel $(JOBS) --label-regex '$(SANITIZED_SUITES)'

clean: ## Remove all build output
	rm -rf build
