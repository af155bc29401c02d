# The two commands: `make run` and `make test`. Both do all set-up themselves and do no work twice.

SHELL := /bin/sh
.DEFAULT_GOAL := help
NODE = $$(scripts/node.sh)
SOURCES := $(shell find contract sandbox adapters supervisor cli scripts examples -name .svc -prune -o -type f \( -name '*.ts' -o -name '*.clj' -o -name '*.json' \) ! -name '*.test.ts' -print 2>/dev/null)
BIN := node_modules/.bin

.PHONY: help setup build run test unit conformance coverage check bench oracle fuzz pack clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 14

setup: ## bring the pinned packages and Node 24 into node_modules
	@scripts/setup.sh

build: setup dist/.stamp ## build dist/ (bundles, guest snapshot)

dist/.stamp: $(SOURCES) package-lock.json | setup
	@echo 'build: dist/' >&2
	@$(NODE) scripts/build.ts
	@touch $@

run: build ## run the orders example and show its value and where its evidence lies
	@scripts/run-example.sh

test: build unit conformance ## run every test

unit: setup ## tests beside the code
	@$(NODE) $(BIN)/mocha

conformance: build ## black-box suites against the built program
	@$(NODE) $(BIN)/mocha --config conformance/.mocharc.json

coverage: setup ## what the unit tests reach
	@$(NODE) $(BIN)/c8 --reporter=text-summary $(NODE) $(BIN)/mocha

check: setup ## types, lint, import rules, unused code, generated files
	@$(NODE) scripts/check.ts

bench: build ## figures, as ratios against peers measured in the same run
	@$(NODE) bench/main.ts

oracle: setup ## record again what real Clojure gives (needs the Debian package clojure)
	@$(NODE) conformance/language/record.ts

MINUTES ?= 5
COUNT ?= 100000
fuzz: build ## compare random programs with real Clojure for MINUTES, and mutate COUNT documents
	@$(NODE) conformance/language/fuzz/main.ts --minutes $(MINUTES)
	@$(NODE) conformance/documents/fuzz.ts --count $(COUNT)

pack: build ## the installable program as a tarball
	@npm pack --ignore-scripts --loglevel=error

clean: ## remove what the build made
	@rm -rf dist coverage
