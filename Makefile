# Winch. `make demo` shows it, `make test` proves it; both set up what is missing.

PREFIX ?= /usr/local
DESTDIR ?=
BUILD = swift build --explicit-target-dependency-import-check error
RELEASE = $(BUILD) -c release --static-swift-stdlib
BIN = .build/release

.PHONY: demo test fuzz bench install uninstall build release lint format setup setup-test picture clean

# Fetches two dozen files from a local server that misbehaves, in the dashboard; leaves nothing behind.
demo: release
	@$(RELEASE) --product fault-server
	@.make/demo $(BIN)

build: setup
	@$(BUILD)

release: setup
	@$(RELEASE) --product winch

# Formatting, build with warnings as errors, walls between the rooms, all tests.
test: setup-test lint
	@.make/test

# Random streams of events against the queue, by the million; prints seeds and speed. A seed brings a failure back.
STREAMS ?= 5000000
SEED ?= $(shell date +%s)
fuzz:
	@.make/fuzz $(STREAMS) $(SEED)

lint:
	@swift format lint --strict --recursive --parallel Package.swift Sources Tests Resources

format:
	@swift format --in-place --recursive --parallel Package.swift Sources Tests Resources

# What a row's figures cost; what the dashboard costs a terminal, beside htop and btop; then times Winch against aria2c,
# curl -Z and wget2, interleaved, from nginx on loopback.
bench: release
	@$(RELEASE) --product winch-replay
	@$(RELEASE) --product fault-server
	@$(BIN)/winch-replay --bench
	@.make/setup bench
	@.make/bench-screen $(BIN)
	@.make/bench $(BIN)/winch

# The README's picture, from a real run of the demo.
picture: release
	@$(RELEASE) --product fault-server
	@.make/setup picture
	@.make/picture $(BIN) Resources/dashboard.svg

install: release
	install -Dm755 $(BIN)/winch $(DESTDIR)$(PREFIX)/bin/winch
	install -Dm644 Resources/winch.1 $(DESTDIR)$(PREFIX)/share/man/man1/winch.1

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/winch $(DESTDIR)$(PREFIX)/share/man/man1/winch.1

setup:
	@.make/setup build

setup-test:
	@.make/setup test

clean:
	rm -rf .build
