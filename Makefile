# Winch. `make demo` shows it, `make test` proves it; both set up what is missing.

PREFIX ?= /usr/local
DESTDIR ?=
BUILD = swift build --explicit-target-dependency-import-check error
RELEASE = $(BUILD) -c release --static-swift-stdlib
BIN = .build/release

.PHONY: demo test fuzz faults torture monkey bench install uninstall build release lint format setup setup-test picture clean

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

# Random streams of events against the queue, by the million, then each parser for so many minutes, guided by the code that
# inputs reach. Prints seeds and speed; a seed brings a failure back.
STREAMS ?= 5000000
MINUTES ?= 10
SEED ?= $(shell date +%s)
fuzz:
	@.make/fuzz $(MINUTES) $(STREAMS) $(SEED)

# A table of hostile servers, bad disks and odd requests, with what winch, aria2c, curl and wget2 make of each.
# ONLY=resume shows some of it.
ONLY ?=
faults: release
	@$(RELEASE) --product winch-faults
	@.make/setup bench
	@$(BIN)/winch-faults table $(BIN)/winch $(if $(ONLY),--only "$(ONLY)")

# Kills winch at random moments and runs it again until all is done; then with simulated power losses.
ROUNDS ?= 300
POWER_LOSSES ?= 50
torture: release
	@$(RELEASE) --product winch-faults
	@$(RELEASE) --product PowerLoss
	@$(BIN)/winch-faults torture $(BIN)/winch --library $(BIN)/libPowerLoss.so --seed $(SEED) \
		--rounds $(ROUNDS) --power-loss $(POWER_LOSSES)

# Anything at all at a terminal with winch in it, session after session; then the same on the screen's update alone. A seed
# brings a failure back.
SESSIONS ?= 1000
STEPS ?= 1000000
monkey: release
	@$(RELEASE) --product winch-faults
	@$(BIN)/winch-faults monkey $(BIN)/winch --sessions $(SESSIONS) --seed $(SEED)
	@.make/monkey $(STEPS) $(SEED)

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

# The README's pictures, from real runs of the demo, each at a moment when there is much to see.
EVERYTHING = -j 14 --per-host 14
picture: release
	@$(RELEASE) --product fault-server
	@.make/setup picture
	@.make/picture $(BIN) Resources/dashboard.svg --after 21 -- $(EVERYTHING)
	@.make/picture $(BIN) Resources/details.svg --size 172x40 --after 20 \
		--keys g $(foreach row,1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17,j) Enter -- $(EVERYTHING) --theme ocean
	@.make/picture $(BIN) Resources/settings.svg --size 104x30 --after 8 --keys S -- -j 10 --theme ember
	@.make/picture $(BIN) Resources/light.svg --size 104x33 --after 12 --light -- -j 14 --theme light

BASH_COMPLETION = $(DESTDIR)$(PREFIX)/share/bash-completion/completions/winch
ZSH_COMPLETION = $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_winch
FISH_COMPLETION = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/winch.fish

# The binary, its man page and its completions; `make install PREFIX=~/.local` needs no root.
install: release
	@for shell in bash zsh fish; do $(BIN)/winch completions $$shell >$(BIN)/completions.$$shell || exit 1; done
	install -Dm755 $(BIN)/winch $(DESTDIR)$(PREFIX)/bin/winch
	install -Dm644 Resources/winch.1 $(DESTDIR)$(PREFIX)/share/man/man1/winch.1
	install -Dm644 $(BIN)/completions.bash $(BASH_COMPLETION)
	install -Dm644 $(BIN)/completions.zsh $(ZSH_COMPLETION)
	install -Dm644 $(BIN)/completions.fish $(FISH_COMPLETION)

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/winch $(DESTDIR)$(PREFIX)/share/man/man1/winch.1 \
		$(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)

setup:
	@.make/setup build

setup-test:
	@.make/setup test

clean:
	rm -rf .build
