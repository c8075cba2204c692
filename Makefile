# Winch. `make demo` shows the program, `make test` tests it; both install what is missing.

PREFIX ?= /usr/local
DESTDIR ?=
BUILD = swift build --explicit-target-dependency-import-check error
# Without debugging information, which takes a fifth of the time and more than half of the binary.
RELEASE = $(BUILD) -c release --static-swift-stdlib -Xswiftc -gnone -Xcc -g0
BIN = .build/release
DEMO = .build/demo
SCRIPTS = Sources/Tools/Scripts

.PHONY: demo demo-server test fuzz faults torture monkey bench install uninstall build release lint format setup setup-test picture clean

# Downloads two dozen files from a local server that misbehaves, in the dashboard, and removes them.
demo: setup
	@$(MAKE) --no-print-directory -j2 release demo-server
	@$(SCRIPTS)/demo.sh $(BIN) $(DEMO)/debug

# Beside the program, in a folder of its own: SwiftPM builds one product at a time in a folder. Not optimized, as it need not be.
demo-server: setup
	@$(BUILD) --quiet --scratch-path $(DEMO) -Xswiftc -gnone -Xcc -g0 --product fault-server

build: setup
	@$(BUILD)

release: setup
	@$(RELEASE) --product winch

# Checks the formatting, builds with warnings as errors, checks the imports between modules, and runs all tests.
test: setup-test lint
	@$(SCRIPTS)/test.sh

# Runs the queue on STREAMS random streams of events, then each parser for MINUTES minutes on random input, guided by
# coverage. Prints seeds and speed; the same SEED repeats a failure.
STREAMS ?= 5000000
MINUTES ?= 10
SEED ?= $(shell date +%s)
fuzz:
	@$(SCRIPTS)/fuzz.sh $(MINUTES) $(STREAMS) $(SEED)

# Runs winch, aria2c, curl and wget2 against a table of hostile servers, bad disks and odd requests, and prints the results.
# ONLY=resume runs the cases with that word.
ONLY ?=
faults: release
	@$(RELEASE) --product winch-faults
	@$(SCRIPTS)/setup.sh bench
	@$(BIN)/winch-faults table $(BIN)/winch $(if $(ONLY),--only "$(ONLY)")

# Kills winch at random moments and restarts it until all files are complete; then again with simulated power losses. Then cuts
# CUTS connections of uploads to real servers, and compares the figures of UPLOADS uploads with what a server has read.
ROUNDS ?= 300
POWER_LOSSES ?= 50
CUTS ?= 1333
UPLOADS ?= 100
torture: release setup-test
	@$(RELEASE) --product winch-faults
	@$(RELEASE) --product PowerLoss
	@$(BIN)/winch-faults torture $(BIN)/winch --library $(BIN)/libPowerLoss.so --seed $(SEED) \
		--rounds $(ROUNDS) --power-loss $(POWER_LOSSES)
	@$(RELEASE) --product fault-server
	@$(SCRIPTS)/torture-upload.py $(BIN)/winch --seed $(SEED) --cuts $(CUTS)
	@$(SCRIPTS)/upload-figures.py $(BIN)/winch $(BIN)/fault-server --seed $(SEED) --runs $(UPLOADS)

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
# curl for one file from servers that limit what a connection gets; then those of Winch, curl and sftp for uploads.
bench: release
	@$(RELEASE) --product winch-replay
	@$(RELEASE) --product fault-server
	@$(BIN)/winch-replay --bench
	@$(SCRIPTS)/setup.sh bench
	@$(SCRIPTS)/bench-screen.py $(BIN)
	@$(SCRIPTS)/bench.py $(BIN)/winch
	@$(SCRIPTS)/bench-split.py $(BIN)/winch
	@$(SCRIPTS)/bench-upload.py $(BIN)/winch

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

# Installs the binary, its man pages and its completions. `make install PREFIX=~/.local` needs no root permissions. -s leaves out
# the symbols, which only debuggers need.
install: release
	@for shell in bash zsh fish; do $(BIN)/winch completions $$shell >$(BIN)/completions.$$shell || exit 1; done
	install -s -Dm755 $(BIN)/winch $(DESTDIR)$(PREFIX)/bin/winch
	install -Dm644 Resources/winch.1 $(DESTDIR)$(PREFIX)/share/man/man1/winch.1
	install -Dm644 Resources/winch-protocol.7 $(DESTDIR)$(PREFIX)/share/man/man7/winch-protocol.7
	install -Dm644 $(BIN)/completions.bash $(BASH_COMPLETION)
	install -Dm644 $(BIN)/completions.zsh $(ZSH_COMPLETION)
	install -Dm644 $(BIN)/completions.fish $(FISH_COMPLETION)

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/winch $(DESTDIR)$(PREFIX)/share/man/man1/winch.1 \
		$(DESTDIR)$(PREFIX)/share/man/man7/winch-protocol.7 \
		$(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)

setup:
	@$(SCRIPTS)/setup.sh build

setup-test:
	@$(SCRIPTS)/setup.sh test

clean:
	rm -rf .build
