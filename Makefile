# Winch. `make demo` shows the program, `make test` tests it; both install what is missing.

PREFIX ?= /usr/local
DESTDIR ?=
BUILD = swift build --explicit-target-dependency-import-check error
# Without debugging information, which takes a fifth of the time and more than half of the binary.
RELEASE = $(BUILD) -c release --static-swift-stdlib -Xswiftc -gnone -Xcc -g0
BIN = .build/release
DEMO = .build/demo
SCRIPTS = Sources/Tools/Scripts

.PHONY: demo demo-server fleet fleet-demo test fuzz faults torture fleet-torture fleet-bench slurm monkey bench install uninstall build release lint format setup setup-test setup-fleet picture clean

# Downloads two dozen files from a local server that misbehaves, in the dashboard, and removes them.
demo: setup
	@$(MAKE) --no-print-directory -j2 release demo-server
	@$(SCRIPTS)/demo.sh $(BIN) $(DEMO)/debug

# Beside the program, in a folder of its own: SwiftPM builds one product at a time in a folder. Not optimized, as it need not be.
demo-server: setup
	@$(BUILD) --quiet --scratch-path $(DEMO) -Xswiftc -gnone -Xcc -g0 --product fault-server

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
	@$(BIN)/winch-fleet demo --fault-server $(DEMO)/debug/fault-server

# Checks the formatting, builds with warnings as errors, checks the imports between modules, and runs all tests.
test: setup-test lint
	@$(SCRIPTS)/test.sh

# Runs the queue on STREAMS random streams of events, then each parser for MINUTES minutes on random input, guided by
# coverage; then sends as long random lines to a session. Prints seeds and speed; the same SEED repeats a failure.
STREAMS ?= 5000000
MINUTES ?= 10
SEED ?= $(shell date +%s)
fuzz: release
	@$(SCRIPTS)/fuzz.sh $(MINUTES) $(STREAMS) $(SEED)
	@$(SCRIPTS)/fuzz-session.py $(BIN)/winch --seed $(SEED) --seconds $$(awk 'BEGIN { print $(MINUTES) * 60 }')

# Runs winch, aria2c, curl and wget2 against a table of hostile servers, bad disks and odd requests, and prints the results.
# ONLY=resume runs the cases with that word.
ONLY ?=
faults: release
	@$(RELEASE) --product winch-faults
	@$(SCRIPTS)/setup.sh bench
	@$(BIN)/winch-faults table $(BIN)/winch $(if $(ONLY),--only "$(ONLY)")

# Kills winch at random moments and restarts it until all files are complete; then again with simulated power losses. Then cuts
# CUTS connections of uploads to real servers, and compares the figures of UPLOADS uploads with what a server has read. Then lets
# ATTACHES clients of a session come and go, and kills sessions and clients at KILLS random moments.
ROUNDS ?= 300
POWER_LOSSES ?= 50
CUTS ?= 1333
UPLOADS ?= 100
ATTACHES ?= 1000
KILLS ?= 300
torture: release setup-test
	@$(RELEASE) --product winch-faults
	@$(RELEASE) --product PowerLoss
	@$(BIN)/winch-faults torture $(BIN)/winch --library $(BIN)/libPowerLoss.so --seed $(SEED) \
		--rounds $(ROUNDS) --power-loss $(POWER_LOSSES)
	@$(RELEASE) --product fault-server
	@$(SCRIPTS)/torture-upload.py $(BIN)/winch --seed $(SEED) --cuts $(CUTS)
	@$(SCRIPTS)/upload-figures.py $(BIN)/winch $(BIN)/fault-server --seed $(SEED) --runs $(UPLOADS)
	@$(SCRIPTS)/torture-session.py $(BIN) --seed $(SEED) --rounds $(ATTACHES) --kills $(KILLS)
	@$(MAKE) --no-print-directory fleet-torture

# Kills the workers and the server of a fleet at FLEET_KILLS random moments while it downloads ENTRIES files; then, while a fleet
# works, the leader of a cluster of three servers.
ENTRIES ?= 10000
FLEET_KILLS ?= 50
fleet-torture: fleet setup-test
	@$(RELEASE) --product fault-server
	@$(SCRIPTS)/torture-fleet.py $(BIN)/winch-fleet $(BIN)/fault-server --seed $(SEED) --entries $(ENTRIES) --kills $(FLEET_KILLS)
	@$(SCRIPTS)/fleet-cluster.py $(BIN)/winch-fleet $(BIN)/fault-server

# Divides a list by Resources/schedulers/winch-array.slurm with a real Slurm on this machine alone, which needs root and slurm-wlm.
slurm:
	@$(BUILD) --product winch
	@$(BUILD) --product fault-server
	@$(SCRIPTS)/slurm-array.py .build/debug/winch .build/debug/fault-server

# Runs winch in SESSIONS terminals and sends random keys, pastes, clicks, sizes and signals; then STEPS random events to the
# screen's state alone. The same SEED repeats a failure.
SESSIONS ?= 1000
STEPS ?= 1000000
monkey: release
	@$(RELEASE) --product winch-faults
	@$(BIN)/winch-faults monkey $(BIN)/winch --sessions $(SESSIONS) --seed $(SEED)
	@$(SCRIPTS)/screen-monkey.sh $(STEPS) $(SEED)

# Foundation as a whole would bring 50 MB of ICU into the binary: FoundationEssentials does not.
lint:
	@swift format lint --strict --recursive --parallel Package.swift Sources Tests Resources
	@! grep -rnE '^[a-z ]*import Foundation$$' Sources/winch Sources/Winch* Sources/Hashing

format:
	@swift format --in-place --recursive --parallel Package.swift Sources Tests Resources

# Measures the cost of a row's figures; then output, CPU time and reaction time of the dashboard, compared with htop and btop;
# then the times of Winch, aria2c, curl -Z and wget2, run in turns, with nginx on loopback; then those of Winch, axel, aria2c and
# curl for one file from servers that limit what a connection gets; then those of Winch, curl and sftp for uploads; then what
# sessions cost and how soon they answer.
bench: release
	@$(RELEASE) --product winch-replay
	@$(RELEASE) --product fault-server
	@$(BIN)/winch-replay --bench
	@$(SCRIPTS)/setup.sh bench
	@$(SCRIPTS)/bench-screen.py $(BIN)
	@$(SCRIPTS)/bench.py $(BIN)/winch
	@$(SCRIPTS)/bench-split.py $(BIN)/winch
	@$(SCRIPTS)/bench-upload.py $(BIN)/winch
	@$(SCRIPTS)/bench-session.py $(BIN)

# Measures a small fleet on this machine against plain winch, and against the simulator with the same numbers.
fleet-bench: release fleet setup-test
	@$(RELEASE) --product fault-server
	@$(RELEASE) --product winch-fleet-simulator
	@$(SCRIPTS)/fleet-bench.py $(BIN)

# Makes the README's pictures from runs of the demo, each at a time at which much is shown.
EVERYTHING = -j 14 --per-host 14
picture: release demo-server
	@$(SCRIPTS)/setup.sh picture
	@$(SCRIPTS)/picture.py $(BIN) $(DEMO)/debug Resources/dashboard.svg --after 21 -- $(EVERYTHING)
	@$(SCRIPTS)/picture.py $(BIN) $(DEMO)/debug Resources/details.svg --size 172x40 --after 20 \
		--keys g $(foreach row,1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17,j) Enter -- $(EVERYTHING) --theme ocean
	@$(SCRIPTS)/picture.py $(BIN) $(DEMO)/debug Resources/settings.svg --size 104x30 --after 8 --keys S -- -j 10 --theme ember
	@$(SCRIPTS)/picture.py $(BIN) $(DEMO)/debug Resources/light.svg --size 104x33 --after 12 --light -- -j 14 --theme light

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
	@$(SCRIPTS)/setup.sh build

setup-test:
	@$(SCRIPTS)/setup.sh test

setup-fleet:
	@$(SCRIPTS)/setup.sh fleet

clean:
	rm -rf .build
