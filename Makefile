# The two commands: `make run` and `make test`. Both do all set-up themselves and do no work twice.

SHELL := /bin/sh
.DEFAULT_GOAL := help
# Quoted where it stands: the path of a checkout may hold anything.
NODE = "$$(scripts/node.sh)"
SOURCES := $(shell find contract system sandbox adapters supervisor cli scripts bench/programs -path '*/test' -prune -o -type f \( -name '*.ts' -o -name '*.clj' -o -name '*.json' \) ! -name '*.test.ts' -print 2>/dev/null)
# Every file of an example is part of the program, but not what runs in it left behind.
SOURCES += $(shell find viewer docs scripts/site -type f -print 2>/dev/null)
SOURCES += bench/README.md conformance/README.md conformance/servers/llm/README.md sandbox/test/clojure-suite/README.md
SOURCES += $(shell find examples \( -name '.svc*' -o -name .env \) -prune -o -type f -print 2>/dev/null)
BIN := node_modules/.bin
# Named here and not in .mocharc.json, so that `mocha FILE` runs that file alone.
UNIT := '{contract,system,sandbox,adapters,supervisor,cli,scripts,bench}/**/*.test.ts'
INTEGRATION := '{sandbox,adapters,supervisor,cli}/test/**/*.suite.ts'
CONFORMANCE := 'conformance/**/*.suite.ts'
EVERY_PART = unit $(UNIT) integration $(INTEGRATION) conformance $(CONFORMANCE)

.PHONY: help setup build run test test-quick test-seconds unit integration conformance matrix coverage check patterns format bench soak soak-gateway agent-trial oracle clojure-suite fuzz approvals-fuzz image-trial example-answers model-server view docs-site pack clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-15s%s\n", $$1, $$2 }' Makefile

setup: ## bring the pinned packages and Node 24 into node_modules
	@scripts/setup.sh

build: setup dist/.stamp ## build dist/ (bundles, guest snapshot)

dist/.stamp: $(SOURCES) package-lock.json | setup
	@echo 'build: dist/' >&2
	@$(NODE) scripts/build.ts
	@touch $@

run: build ## run an example without a model and an agent with a recorded one; show what happened and where the evidence lies
	@scripts/run-example.sh

test: build ## run every test: unit, integration, conformance; then hold the matrix of faults against what ran
	@$(NODE) scripts/test/main.ts --matrix $(EVERY_PART)

test-quick: setup ## run what the changes since main may affect, and the quicker unit tests: some two minutes
	@$(NODE) scripts/test/main.ts --quick $(EVERY_PART)

test-seconds: build ## run every test, and keep how long each suite took, by which the next runs are planned
	@$(NODE) scripts/test/main.ts --matrix --remember $(EVERY_PART)

unit: setup ## tests beside the code (UNIT=FILES for some of them)
	@$(NODE) scripts/test/main.ts unit $(UNIT)

integration: build ## suites that put parts of the product together (INTEGRATION=FILES)
	@$(NODE) scripts/test/main.ts integration $(INTEGRATION)

conformance: build ## black-box suites against the built program, or any that SVC_PROGRAM names (CONFORMANCE=FILES)
	@$(NODE) scripts/test/main.ts conformance $(CONFORMANCE)

# A test that passed is on record where SVC_TEST_RECORD names a file; `make test` checks the matrix by itself.
matrix: setup ## which tests that ran hold which row of the matrix of faults
	@$(NODE) $(BIN)/mocha --config .mocharc.suites.json supervisor/test/crashes/matrix.check.ts

coverage: setup ## what the unit tests reach
	@$(NODE) $(BIN)/c8 --reporter=text-summary $(NODE) $(BIN)/mocha $(UNIT)

check: setup ## types, lint, import rules, unused code, generated files
	@$(NODE) scripts/check.ts

patterns: setup ## judge which regular expressions of the product take time in proportion to their text
	@$(NODE) --disable-warning=ExperimentalWarning scripts/patterns.ts --judge

format: setup ## lay out the code as `make check` wants it
	@$(NODE) node_modules/oxfmt/bin/oxfmt --ignore-path .formatignore .

soak: build ## five minutes of honest and hostile load on one supervisor (MINUTES=n): whom it disturbs, what it leaves; part of no other run
	@$(NODE) bench/soak.ts $(MINUTES)

soak-gateway: build ## the same for a gateway: five calls a second, some of which go away (MINUTES=n)
	@$(NODE) bench/soak-gateway.ts $(MINUTES)

bench: build ## figures, as ratios against peers measured in the same run
	@$(NODE) --expose-gc bench/main.ts

HOST ?=
MODEL ?=
REPEATS ?= 1
JSON ?=
agent-trial: build ## 40 tasks for the model of a host document (HOST=, MODEL=, REPEATS=n, JSON=FILE); without one 60 mistakes of clumsy models
	@$(NODE) bench/agents/main.ts $(if $(HOST),--host '$(HOST)' --model '$(MODEL)' --repeats $(REPEATS)) $(if $(JSON),--json '$(JSON)')

oracle: setup ## record again what real Clojure gives (needs the Debian package clojure)
	@$(NODE) conformance/language/record.ts
	@$(NODE) bench/programs/record.ts

SUITE ?=
clojure-suite: build ## run a checkout of the public Clojure test suite, SUITE=path (needs the Debian package clojure)
	@$(NODE) sandbox/test/clojure-suite/main.ts "$(SUITE)"

MINUTES ?= 5
COUNT ?= 100000
fuzz: build ## compare random programs with real Clojure for MINUTES, and mutate COUNT documents
	@$(NODE) sandbox/test/language/fuzz/main.ts --minutes $(MINUTES)
	@$(NODE) supervisor/test/documents/fuzz.ts --count $(COUNT)

SEED ?= random
approvals-fuzz: setup ## play COUNT random interleavings of questions, decisions, expiry, cancellation and deaths, from a seed that it prints (SEED=n plays them again)
	@$(NODE) bench/approval-interleavings.ts $(COUNT) $(SEED)

image-trial: build ## build the image of the gateway example with buildah, start it, and call both of its tools (wants root)
	@scripts/try-image.sh

example-answers: build ## record what the models of the examples answer anew, after a prompt or a task changed
	@env -u SVC_PROGRAM $(NODE) supervisor/test/examples/record.ts

SCRIPT ?=
VENDOR ?=
PORT ?=
model-server: setup ## start a model server on loopback to try svc against: scripted, or with a vendor's rules (SCRIPT= or VENDOR=, PORT=)
	@$(NODE) conformance/servers/llm/main.ts $(if $(SCRIPT),--script '$(SCRIPT)') $(if $(VENDOR),--vendor '$(VENDOR)') $(if $(PORT),--port $(PORT))

VIEW ?= examples/support-triage/02-domain-api.svc-project.json
view: build ## look at the runs of the examples in a browser; makes one when there is none (VIEW=PROJECT.json)
	@ls $(dir $(VIEW)).svc/traces/*.jsonl >/dev/null 2>&1 || scripts/run-example.sh >&2
	@bin/svc viewer '$(VIEW)'

SITE ?= docs-site
docs-site: build ## the documentation as static files in a folder (SITE=FOLDER), for any web server or a browser
	@mkdir -p '$(SITE)' && cp -R dist/site/. '$(SITE)/' && echo 'docs-site: $(SITE)/index.html' >&2

pack: build ## the installable program as a tarball
	@scripts/pack.sh

clean: ## remove what the build made
	@rm -rf dist coverage
