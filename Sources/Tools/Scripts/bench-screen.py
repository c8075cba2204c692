#!/usr/bin/env python3
"""Measures what the dashboard costs a terminal and a processor, beside htop and btop; and how soon it answers.

usage: bench-screen BIN-FOLDER [--seconds N]

Everything runs in a pseudo-terminal of 120x40 whose output is read at once. Shown: bytes a second to the terminal, share of one
core (for winch with the cost of the transfers in it), time from a key to the first byte that shows it, start, memory. The start
is the time from exec to the first row, for lists of 10 to a million lines on a server that does not answer.
"""
import argparse, os, shutil, socket, statistics, subprocess, tempfile, time
from pathlib import Path

from screens import Screen, measure_keys, percentile

# What is done to all rows at once: its name, its key, and what shows that it is done.
ACTS = [
    ("tag all", b"*", b"Tag"),
    ("pause all that are tagged", b"p", b"paused"),
    ("resume all that are tagged", b"p", b"resumed"),
    ("untag all", b"U", b"Unt"),
    ("sort by name", b">", b"Name"),
    ("sort as queued", b"<", b"Name"),
]


def measure_start(winch, environment, home):
    """Time to the first row, memory held when the list is read, its peak, and the bytes of a waiting row."""
    silent = socket.create_server(("127.0.0.1", 0), backlog=64)
    port, base = silent.getsockname()[1], None
    print(f"\n{'lines':>10}{'first row ms':>14}{'held MiB':>10}{'peak/held':>11}{'bytes a row':>13}")
    for count, runs, settled in ((1, 5, 4), (10, 9, 4), (10_000, 5, 6), (100_000, 3, 12), (1_000_000, 1, 60)):
        batch = home / f"start-{count}.urls"
        batch.write_text("".join(f"http://127.0.0.1:{port}/data/set/f{i}.bin\n" for i in range(count)))
        starts, held, peak = [], 0, 0
        for run in range(runs):
            shutil.rmtree(home / "winch", ignore_errors=True)  # each start is the first
            screen = Screen(winch + ["-j", "2", "-i", str(batch)], home, environment)
            screen.wait(b"f0.bin")
            starts.append(time.monotonic() - screen.started)
            if run == runs - 1:
                screen.read(settled)
                held, peak = screen.memory("VmRSS"), screen.memory()
            screen.close()
        base = base or held
        row = f"{(held - base) * (1 << 20) / count:13.0f}" if count >= 100_000 else ""
        print(f"{count:10,}{statistics.median(starts) * 1000:14.0f}{held:10.1f}{peak / held:11.2f}{row}")
        batch.unlink()
    silent.close()


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("bin")
    options.add_argument("--seconds", type=int, default=10)
    options = options.parse_args()
    binaries = Path(options.bin).resolve()
    home = Path(tempfile.mkdtemp(prefix="winch-bench."))
    environment = dict(os.environ, TERM="xterm-256color", LANG="C.UTF-8", HOME=str(home), XDG_STATE_HOME=str(home),
                       XDG_CONFIG_HOME=str(home))
    server = subprocess.Popen([binaries / "fault-server", "--port-file", home / "port"], stdout=subprocess.DEVNULL)
    try:
        while not (home / "port").exists() or not (home / "port").read_text().strip(): time.sleep(0.05)
        origin = f"http://127.0.0.1:{(home / 'port').read_text().strip()}"
        winch = [str(binaries / "winch"), "-d", str(home / "got")]

        print(f"{'':34}{'bytes/s':>10}{'% of a core':>14}")
        rows = [("winch, 5 transfers at 1 MiB/s", [f"{origin}/f/{i}?size=4G&rate=1M" for i in range(5)], ["-j", "5"])]
        for name, urls, arguments in rows:
            screen = Screen(winch + arguments + urls, home, environment)
            screen.wait("↓".encode())
            screen.read(3)
            print("{:34}{:10.0f}{:14.1f}".format(name, *screen.watch(options.seconds)))
            screen.press(b"P")
            screen.read(3)
            print("{:34}{:10.0f}{:14.1f}".format("winch, everything paused", *screen.watch(options.seconds)))
            screen.close()
            shutil.rmtree(home / "got", ignore_errors=True)
        for peer in (["htop"], ["btop"]):
            if not shutil.which(peer[0]): continue
            screen = Screen(peer, home, environment)
            screen.read(3)
            print("{:34}{:10.0f}{:14.1f}".format(peer[0] + ", as it comes", *screen.watch(options.seconds)))
            screen.close()

        measure_start(winch, environment, home)

        for count, share in ((10_000, 0.99), (100_000, 0.99)):
            batch = home / f"{count}.urls"
            batch.write_text("".join(f"{origin}/f/f{i}?size=8G\n out=f{i}\n" for i in range(count)))
            screen = Screen(winch + ["-j", "16", "--per-host", "16", "-i", str(batch)], home, environment)
            start = screen.wait(b"f1")
            screen.read(2)
            waits = []
            for _ in range(150):
                screen.press(b"?")
                waits.append(screen.wait(b"suspend") * 1000)
                screen.press(b"\x1b")
                screen.read(0.15)
            print(f"\n{count:,} rows, 16 at full speed: first rows {start * 1000:.0f} ms after exec, key to screen median "
                  f"{statistics.median(waits):.1f} ms, p99 {percentile(waits, share):.1f} ms, peak memory {screen.memory():.0f} MiB")
            waits = measure_keys(screen)
            print(f"{'':6}{'move the selection':28} p50 {percentile(waits, 0.5):5.1f} ms, p90 {percentile(waits, 0.9):5.1f} ms, "
                  f"p99 {percentile(waits, 0.99):5.1f} ms")
            waits = {name: [] for name, _, _ in ACTS}
            for _ in range(5):
                for name, key, shown in ACTS:
                    screen.press(key)
                    waits[name].append(screen.wait(shown) * 1000)
                    screen.read(2.5)
            for name, taken in waits.items():
                print(f"{'':6}{name:28} median {statistics.median(taken):5.1f} ms, longest {max(taken):5.1f} ms")
            held = screen.memory("VmRSS")
            print(f"{'':6}{'memory held':28} {held:12.0f} MiB")
            screen.close()
            shutil.rmtree(home / "got", ignore_errors=True)
    finally:
        server.kill()
        shutil.rmtree(home, ignore_errors=True)


main()
