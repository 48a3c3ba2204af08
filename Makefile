# What can be done here. `make` alone says it.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help demo test run check check-api lint format bench bench-peers faults soak fuzz build clean

# demo and test share one folder of debug builds; what runs for real is a release build.
debug := .build/debug/wake
release := .build/release/wake
# What `make faults` and `make soak` try: another program, or a part of the suites, or other minutes.
PROGRAM ?= $(release)
FAULTS ?= .
MINUTES ?= 60
reliability = WAKE_PROGRAM="$(abspath $(PROGRAM))" WAKE_FIGURES="$(CURDIR)/.build/$@.txt" scripts/test
state := $(shell realpath -m -- "$${WAKE_STATE_DIR:-state}")

help: ## say this
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: ## show the whole main job on loopback, with a stand-in push server and phone
	@scripts/bootstrap build
	swift build --product wake
	@$(debug) demo

test: ## install what is missing and run every test
	@scripts/bootstrap test
	@scripts/test

run: build ## start the service on SQLite in ./state, or where WAKE_STATE_DIR says
	@echo
	@echo "The state is kept in $(state). In another terminal:"
	@echo "  export WAKE_STATE_DIR='$(state)'$(if $(WAKE_PUBLIC_URL), WAKE_PUBLIC_URL='$(WAKE_PUBLIC_URL)')"
	@echo "  $(CURDIR)/$(release) --help"
	@echo
	@WAKE_STATE_DIR="$(state)" exec $(release) serve

build: ## make the release build, .build/release/wake
	@scripts/bootstrap build
	swift build -c release --product wake

check: lint test ## lint, all tests, and all tests once more under the thread and the address sanitizer
	@scripts/test-sanitized thread
	@scripts/test-sanitized address

check-api: ## hold a running service to docs/openapi.yaml with schemathesis, from PyPI
	@scripts/bootstrap build
	@scripts/check-api

fuzz: ## feed the readers of what strangers send with made-up input (FUZZ="60 json head": seconds, targets)
	@scripts/bootstrap build
	@scripts/fuzz $(FUZZ)

lint: ## style of the sources, syntax of the scripts
	@scripts/lint

format: ## write the sources in the house style
	swift format --in-place --parallel --recursive Package.swift $(wildcard Sources Tests Benchmarks)

faults: ## faults of the machine at full size, a quarter of an hour (FAULTS=KillTests for one suite)
	@scripts/bootstrap test
	@[ "$(PROGRAM)" != "$(release)" ] || swift build -c release --product wake
	@rm -f .build/$@.txt
	@WAKE_RELIABILITY=full $(reliability) --filter 'EndToEndTests\.Reliability.*$(FAULTS)' --skip SoakTests

soak: ## alerts, hostile push servers and readers that come and go, for an hour (MINUTES=2)
	@scripts/bootstrap test
	@[ "$(PROGRAM)" != "$(release)" ] || swift build -c release --product wake
	@rm -f .build/$@.txt
	@WAKE_SOAK_MINUTES="$(MINUTES)" $(reliability) --filter SoakTests

bench: ## measure (BENCH="--json" for one JSON document)
	@scripts/bootstrap bench
	swift run -c release WakeBench $(BENCH)

bench-peers: ## measure beside senders from PyPI, in a throw-away environment
	@scripts/bootstrap bench
	@scripts/bench-peers $(BENCH)

clean: ## remove what was built; the state folder stays
	rm -rf .build
