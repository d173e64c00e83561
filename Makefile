# `make` alone lists what there is. Each target is what .ci/run calls, so that what fails there can be repeated here.

FUZZTIME ?= 30s
GO_FILES  = $(shell git ls-files --cached --others --exclude-standard '*.go')
# Folders with a go.mod of their own; the bench, the tools and the servers of others are built when asked for.
NESTED    = $(shell git ls-files --cached --others --exclude-standard '*/go.mod' | grep -vE '^(bench|tools|interop/servers)/|/testdata/' | xargs -rn1 dirname)

.DEFAULT_GOAL := help
.PHONY: help build test race nested fuzz cover fmt lint generate matrix referee interop clients judged servers readme ci bench bench-test bench-quick bench-profile bench-limits bench-docs bin/mcpbench

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Compile everything, and bin/parley
	go build ./...
	go build -o bin/parley ./cmd/parley

test: ## Run the tests
	go test ./...

race: ## Run the tests with the race detector
	go test -race ./...

nested: ## Vet and test the modules in folders of their own
	@set -e; for dir in $(NESTED); do echo "$$dir:"; (cd $$dir && go vet ./... && go test ./...); done

fuzz: ## Run each fuzz target for FUZZTIME (30s)
	.ci/fuzz $(FUZZTIME)

cover: ## Write bin/cover.html and print the coverage per package
	@mkdir -p bin
	go test -cover -coverprofile=bin/cover.out ./...
	go tool cover -html=bin/cover.out -o bin/cover.html
	@go tool cover -func=bin/cover.out | tail -n 1

fmt: ## Format the Go files
	gofmt -w $(GO_FILES)

lint: bin/staticcheck ## Check formatting, go vet, staticcheck
	@unformatted=$$(gofmt -l $(GO_FILES)); test -z "$$unformatted" || { echo "not formatted (make fmt):"; echo "$$unformatted"; exit 1; }
	go vet ./...
	bin/staticcheck ./...
	@set -e; for dir in $(NESTED); do echo "$$dir:"; (cd $$dir && $(CURDIR)/bin/staticcheck ./...); done

bin/staticcheck: tools/go.mod tools/go.sum
	go build -C tools -o ../bin/ tool
	@touch $@

generate: ## Derive the generated files again
	go generate ./...

matrix: ## Write SPEC_MATRIX.md and docs/matrix, and say what is proven
	go run ./cmd/parley matrix --write

referee: ## Run the official conformance suite against parley serve
	go run ./conformance/referee

interop: clients servers ## Both of the next two

clients: ## Run clients that others wrote against our server
	go run ./interop

judged: ## Let the mock judge clients that others wrote, and write docs/clients.md
	go run ./interop/judged -write

servers: ## Test servers that others wrote with our harness, and write docs/interop.md
	go run ./interop/servers -write

bench-test: ## Vet and test the benchmark itself, which no other target builds
	go vet -C bench ./...
	go test -C bench ./...

bench: bin/mcpbench ## Compare with other servers: one table, in about 10 minutes
	bin/mcpbench run -records bin/bench.jsonl

bench-quick: bin/mcpbench ## The same in less than 90 seconds
	bin/mcpbench run -quick -records bin/bench-quick.jsonl

bench-profile: bin/mcpbench ## Print what Parley's time and allocations go into
	@bin/mcpbench profile

bench-limits: bin/mcpbench ## Print what large results, idle streams and a slow reader cost
	@bin/mcpbench limits

bench-docs: bin/mcpbench ## Put the table of the last make bench, profiles and limits into docs/performance.md
	bin/mcpbench report -records bin/bench.jsonl -into docs/performance.md
	bin/mcpbench profile -into docs/performance.md
	bin/mcpbench limits -into docs/performance.md

bin/mcpbench:
	go build -C bench -o ../bin/ ./cmd/mcpbench

readme: ## Run the commands and compile the programs that the documents show
	.ci/readme README.md $(wildcard docs/*.md)

ci: ## Run everything that has to pass
	bash .ci/run
