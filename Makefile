# Winch. `make demo` shows the program, `make test` tests it; both install what is missing.

PREFIX ?= /usr/local
DESTDIR ?=
BUILD = swift build --explicit-target-dependency-import-check error
# Debugging information takes a fifth of the time and more than half of a binary.
NO_DEBUGGING = -Xswiftc -gnone -Xcc -g0
RELEASE = $(BUILD) -c release --static-swift-stdlib $(NO_DEBUGGING)
# What the tests run is not optimized, but built as a release, without -DDEBUG: with it, ArgumentParser verifies all options at each
# start of the program for 0.1 s. Built file by file: a change then compiles what depends on it, not all modules above it.
TESTED = $(BUILD) -c release --scratch-path .build/tested $(NO_DEBUGGING) -Xswiftc -Onone -Xswiftc -enable-testing \
	-Xswiftc -no-whole-module-optimization -Xswiftc -incremental -Xswiftc -enable-batch-mode -Xswiftc -driver-batch-size-limit -Xswiftc 1000
BIN = .build/release
DEMO = .build/demo
SCRIPTS = Tests/Scripts

.PHONY: demo demo-server fleet fleet-demo test check steady build-tests fuzz faults torture fleet-torture slurm monkey bench install uninstall build release lint format setup setup-test setup-fleet picture clean

# Downloads two dozen files from a local server that misbehaves, in the dashboard, and removes them.
demo: setup
	@$(MAKE) --no-print-directory -j2 release demo-server
	@Scripts/demo.sh $(BIN) $(DEMO)/debug

# Beside the program, in a folder of its own: SwiftPM builds one product at a time in a folder. Not optimized, as it need not be.
demo-server: setup
	@$(BUILD) --quiet --scratch-path $(DEMO) $(NO_DEBUGGING) --product fault-server

build: setup setup-fleet
	@$(BUILD)

release: setup
	@$(RELEASE) --product winch

# The program that `winch fleet` runs. It needs libnats, which winch itself does not.
fleet: setup setup-fleet
	@$(RELEASE) --product winch-fleet

# Shows four workers that share a list on this machine, with a nats-server of their own, and removes them.
fleet-demo: setup setup-fleet
	@$(MAKE) --no-print-directory -j2 fleet demo-server
	@Scripts/fleet-demo.sh $(BIN) $(DEMO)/debug

# Checks the formatting, builds with warnings as errors, checks the imports between modules, and runs all tests.
test: setup-test lint build-tests
	@$(SCRIPTS)/run.py

# For the minutes between: formatting of changed files, build, pure tests and the tests of changed modules.
check: setup-test
	@git diff --name-only --diff-filter=d HEAD -- '*.swift' | xargs -r swift format lint --strict
	@$(MAKE) --no-print-directory build-tests
	@$(SCRIPTS)/run.py --changed

# Repeats the tests that are marked as sensitive to time, beside a busy loop on each core, and lists those that failed.
steady: ROUNDS = 20
steady: setup-test build-tests
	@$(SCRIPTS)/run.py --steady $(ROUNDS)

build-tests:
	@$(TESTED) --build-tests
	@$(TESTED) --product PowerLoss

# Runs the queue on STREAMS random streams of events, then each parser for MINUTES minutes on random input, guided by
# coverage; then sends as long random lines to a session. Prints seeds and speed; the same SEED repeats a failure.
STREAMS ?= 5000000
MINUTES ?= 10
SEED ?= $(shell date +%s)
fuzz: release
	@$(SCRIPTS)/fuzz.sh $(MINUTES) $(STREAMS) $(SEED)
	@$(SCRIPTS)/fuzz-session.py session $(BIN) --seed $(SEED) --seconds $$(awk 'BEGIN { print $(MINUTES) * 60 }')

# Runs winch against a table of hostile servers, limits and odd requests. ONLY=resume runs the cases with that word.
ONLY ?=
faults: setup-test build-tests
	@WINCH_ONLY="$(ONLY)" $(SCRIPTS)/run.py --match "The table of faults"

# Kills winch at random moments and restarts it until all files are complete; then again with simulated power losses. Then cuts
# CUTS connections of uploads to real servers, kills downloads of whole folders at TREE_KILLS moments, and compares the figures of
# UPLOADS uploads with what a server has read. Then lets ATTACHES clients of a session come and go, kills sessions and clients at
# KILLS random moments, and sends TRANSFERS transfers through one session.
ROUNDS ?= 300
POWER_LOSSES ?= 50
CUTS ?= 1333
TREE_KILLS ?= 500
UPLOADS ?= 100
ATTACHES ?= 1000
KILLS ?= 300
TRANSFERS ?= 100000
torture: release setup-test build-tests
	@WINCH_ROUNDS=$(ROUNDS) WINCH_POWER_LOSSES=$(POWER_LOSSES) WINCH_SEED=$(SEED) \
		$(SCRIPTS)/run.py --patience 36000 --match "Killing the program at random moments"
	@$(RELEASE) --product fault-server
	@$(SCRIPTS)/torture.py upload $(BIN) --seed $(SEED) --cuts $(CUTS)
	@$(SCRIPTS)/torture.py tree $(BIN) --seed $(SEED) --kills $(TREE_KILLS)
	@$(SCRIPTS)/torture.py session $(BIN) --seed $(SEED) --rounds $(ATTACHES) --kills $(KILLS)
	@WINCH_UPLOADS=$(UPLOADS) WINCH_SEED=$(SEED) $(SCRIPTS)/run.py --patience 36000 --match "The figures of an upload"
	@WINCH_TRANSFERS=$(TRANSFERS) $(SCRIPTS)/run.py --patience 36000 --match "A session after thousands of transfers"
	@$(MAKE) --no-print-directory fleet-torture

# Kills the workers and the server of a fleet at FLEET_KILLS random moments while it downloads ENTRIES files; then, while a fleet
# works, the leader of a cluster of three servers.
ENTRIES ?= 10000
FLEET_KILLS ?= 50
fleet-torture: fleet setup-test build-tests
	@WINCH_ENTRIES=$(ENTRIES) WINCH_FLEET_KILLS=$(FLEET_KILLS) WINCH_SEED=$(SEED) \
		$(SCRIPTS)/run.py --patience 36000 --match "A fleet whose workers and server are killed"
	@$(RELEASE) --product fault-server
	@$(SCRIPTS)/torture.py cluster $(BIN)

# Divides a list by Resources/schedulers/winch-array.slurm with a real Slurm on this machine alone, which needs root and slurm-wlm.
slurm:
	@$(BUILD) --product winch
	@$(BUILD) --product fault-server
	@$(SCRIPTS)/slurm-array.py .build/debug

# Runs winch in SESSIONS terminals and sends random keys, pastes, clicks, sizes and signals; then STEPS random events to the
# screen's state alone. The same SEED repeats a failure.
SESSIONS ?= 1000
STEPS ?= 1000000
monkey: release setup-test build-tests
	@WINCH_SESSIONS=$(SESSIONS) WINCH_SEED=$(SEED) \
		$(SCRIPTS)/run.py --patience 36000 --match "Random input in a real terminal"
	@$(SCRIPTS)/fuzz.sh screen $(STEPS) $(SEED)

# Foundation as a whole would bring 50 MB of ICU into the binary: FoundationEssentials does not.
lint:
	@swift format lint --strict --recursive --parallel Package.swift Sources Tests Resources
	@! grep -rnE '^[a-z ]*import Foundation$$' Sources/winch Sources/Winch* Sources/Hashing

format:
	@swift format --in-place --recursive --parallel Package.swift Sources Tests Resources

# Measures winch beside its peers; WHAT=upload one part alone. screen: the cost of a row's figures, and output, CPU time and reaction
# time of the dashboard, with htop and btop; files: downloads from nginx on loopback, with aria2c, curl -Z and wget2; split: one file
# from servers that limit a connection, with axel, aria2c and curl; upload: with curl and sftp; folders: whole folders from nginx and
# sshd, with wget2, lftp and rclone, and a tree of a million files; session: what sessions cost.
WHAT ?= screen files split upload folders session
bench: release
	@$(RELEASE) --product winch-replay
	@$(RELEASE) --product fault-server
	@Scripts/setup.sh bench
	@failed=; for part in $(WHAT); do $(SCRIPTS)/bench.py $$part $(BIN) || failed=1; done; test -z "$$failed"

# Makes the README's pictures from runs of the demo, each at a time at which much is shown.
EVERYTHING = -j 14 --per-host 14
picture: release demo-server
	@Scripts/setup.sh picture
	@Scripts/picture.py $(BIN) $(DEMO)/debug Resources/dashboard.svg --after 21 -- $(EVERYTHING)
	@Scripts/picture.py $(BIN) $(DEMO)/debug Resources/details.svg --size 172x40 --after 20 \
		--keys g $(foreach row,1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17,j) Enter -- $(EVERYTHING) --theme ocean
	@Scripts/picture.py $(BIN) $(DEMO)/debug Resources/settings.svg --size 104x30 --after 8 --keys S -- -j 10 --theme ember
	@Scripts/picture.py $(BIN) $(DEMO)/debug Resources/light.svg --size 104x33 --after 12 --light -- -j 14 --theme light

BASH_COMPLETION = $(DESTDIR)$(PREFIX)/share/bash-completion/completions/winch
ZSH_COMPLETION = $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_winch
FISH_COMPLETION = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/winch.fish

# Installs the binary, that of the fleet if `make fleet` has built it, the man pages and the completions.
# `make install PREFIX=~/.local` needs no root permissions. -s leaves out the symbols, which only debuggers need.
install: release
	@for shell in bash zsh fish; do $(BIN)/winch completions $$shell >$(BIN)/completions.$$shell || exit 1; done
	install -s -Dm755 $(BIN)/winch $(DESTDIR)$(PREFIX)/bin/winch
	@! test -e $(BIN)/winch-fleet || install -s -Dm755 $(BIN)/winch-fleet $(DESTDIR)$(PREFIX)/bin/winch-fleet
	install -Dm644 Resources/winch.1 $(DESTDIR)$(PREFIX)/share/man/man1/winch.1
	install -Dm644 Resources/winch-protocol.7 $(DESTDIR)$(PREFIX)/share/man/man7/winch-protocol.7
	install -Dm644 $(BIN)/completions.bash $(BASH_COMPLETION)
	install -Dm644 $(BIN)/completions.zsh $(ZSH_COMPLETION)
	install -Dm644 $(BIN)/completions.fish $(FISH_COMPLETION)

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/winch $(DESTDIR)$(PREFIX)/bin/winch-fleet $(DESTDIR)$(PREFIX)/share/man/man1/winch.1 \
		$(DESTDIR)$(PREFIX)/share/man/man7/winch-protocol.7 \
		$(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)

setup:
	@Scripts/setup.sh build

setup-test:
	@Scripts/setup.sh test

setup-fleet:
	@Scripts/setup.sh fleet

clean:
	rm -rf .build
