#!/usr/bin/env python3
"""Measures sessions: how soon they start and show themselves, how soon keys have an effect, and what clients cost.

usage: bench-session BIN-FOLDER [--runs N] [--keys N] [--size MIB]

Dashboards run in pseudo-terminals whose output is read at once. A key is `p`: the time is that to the first bytes with its effect on
the row, which comes from the session. How much a client slows a transfer is the median of ratios of times taken in turns, each from
the request to the moment at which the session has the file complete. Fails when a figure is above its limit.
"""
import argparse, os, random, select, signal, socket, statistics, sys, threading, time
from pathlib import Path

import screens, sessions

ROWS = 10_000


class Drain:
    """Reads what dashboards draw, in a thread."""

    def __init__(self, terminals):
        self.terminals, self.isOver = terminals, False
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        files = [t.master for t in self.terminals]
        while not self.isOver:
            for file in select.select(files, [], [], 0.1)[0]: os.read(file, 1 << 20)

    def close(self):
        self.isOver = True
        self.thread.join()
        for terminal in self.terminals: terminal.close()


def start(home, verdict, runs, origin):
    """`serve` of an empty list, and of one with many rows, which stays."""
    (home.folder / "rows").write_text("".join(f"{origin}/f{i}.bin\n" for i in range(ROWS)))
    for name, arguments in (("empty", []), (f"{ROWS:,} rows", ["-i", "rows"])):
        taken = []
        for run in range(runs):
            begun = time.monotonic()
            home.run("serve", "-j", "1", "--session", f"start{run}", *arguments)
            taken.append((time.monotonic() - begun) * 1000)
            home.run("stop", "--session", f"start{run}")
        verdict.check(f"serve, {name}: back in the shell, median of {runs}", statistics.median(taken), 300, "ms")


def first_frame(home, verdict, runs):
    taken = []
    for _ in range(runs):
        screen = home.attach()
        screen.wait(b"f0.bin")
        taken.append((time.monotonic() - screen.started) * 1000)
        screen.close()
    verdict.check(f"attach, {ROWS:,} rows: first frame after exec, median of {runs}", statistics.median(taken), 150, "ms")


def keys(screen, count):
    """Milliseconds from `p` to its effect on the selected row, which is paused and waits in turns."""
    screen.wait(b"f0.bin")
    screen.read(1)
    screen.press(b"jjjjj")
    screen.read(0.5)
    taken = [screens.measure_key(screen, b"p", b"paused" if i % 2 == 0 else b"queued") for i in range(count)]
    screen.close()
    return taken


def key_to_cell(home, verdict, count, ssh):
    local, far = keys(home.attach(), count), keys(home.attach(*ssh), count)
    for name, taken, limit in (("the socket", local, 10), ("ssh on loopback", far, 25)):
        print(f"      through {name}: median {statistics.median(taken):.1f} ms, p90 {screens.percentile(taken, 0.9):.1f} ms")
        verdict.check(f"key to cell through {name}, one of {ROWS:,} moves, p99 of {count}", screens.percentile(taken, 0.99), limit, "ms")


def far_machine(home):
    """What `attach` needs for this machine as HOST through a server of ssh."""
    options, folder = home.ssh(), home.folder / "bin"
    folder.mkdir()
    variables = " ".join(f"{name}={home.environment[name]}" for name in ("HOME", "XDG_STATE_HOME", "LANG"))
    for name, text in (("ssh", f"exec /usr/bin/ssh {' '.join(options)} \"$@\""), ("far", f"exec env {variables} {home.winch} \"$@\"")):
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    home.environment["PATH"] = f"{folder}:{os.environ['PATH']}"
    return ["127.0.0.1", "--remote-command", str(folder / "far")]


def follow(home):
    """A client of the protocol; returns its socket after the whole state has come."""
    link = socket.socket(socket.AF_UNIX)
    link.connect(str(home.socket))
    link.sendall(b'{"hello":1,"client":"bench"}\n{"n":1,"do":"follow"}\n')
    while select.select([link], [], [], 1.5)[0] and received(link, 0.2) > 8192: pass
    return link


def received(link, seconds):
    """Bytes that come in a time."""
    end, count = time.monotonic() + seconds, 0
    while (left := end - time.monotonic()) > 0:
        if select.select([link], [], [], left)[0]: count += len(link.recv(1 << 16))
    return count


def switches(pid):
    """Times that each thread of a process has slept."""
    threads = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        try: threads[task.name] = int((task / "status").read_text().split("\nvoluntary_ctxt_switches:")[1].split()[0])
        except OSError: pass
    return threads


def traffic(home, verdict, origin):
    link, span = follow(home), 10
    verdict.check(f"one of {ROWS:,} rows moves: bytes on the socket", received(link, span) / span / 1000, 10, "kB/s")
    home.run("pause", "--all")
    pid = home.pid
    # The threads that paused the rows end 5 s after their last work.
    received(link, 8)
    before = switches(pid)
    verdict.check("nothing moves: bytes on the socket", received(link, span), 0, "B")
    slept = sum(count - before.get(thread, 0) for thread, count in switches(pid).items())
    verdict.check("nothing moves: wake-ups of the session's threads", slept / span, 1, "1/s")
    link.close()


def download(home, url, name):
    """Seconds and processor seconds of the session for a file, by what the session says. It is checked and removed."""
    link, used, begun = sessions.client.Session(str(home.socket)), screens.cpu_seconds(home.pid), time.monotonic()
    link.request("add", batch=f"{url}\n  out={name}\n  split=1", folder=str(home.folder))
    link.request("follow")
    row = lambda: next((r for r in link.rows.values() if r["name"] == name), {"state": "waiting"})
    for line in link.incoming():
        if row()["state"] not in ("waiting", "connecting", "requested", "moving", "verifying"): break
    taken, used = time.monotonic() - begun, screens.cpu_seconds(home.pid) - used
    if row()["state"] != "finished": sys.exit(f"bench-session: the download ends as {row()}")
    link.request("remove", ids=[row()["id"]])
    link.link.close()
    (home.folder / name).unlink()
    return taken, used


def slowness(home, verdict, runs, mebibytes, origin):
    block = os.urandom(1 << 20)
    with open(home.folder / "got/big", "wb") as file:
        for _ in range(mebibytes): file.write(block)
    home.run("serve", "-d", str(home.folder))
    held = screens.memory(home.pid)
    cases = {"alone": [], "five": [], "stopped": []}
    for run in range(runs + 1):
        for case in random.sample(list(cases), len(cases)):
            terminals = [home.attach() for _ in range({"alone": 0, "five": 5, "stopped": 1}[case])]
            for terminal in terminals: terminal.read(0.5)
            if case == "stopped": os.kill(terminals[0].pid, signal.SIGSTOP)
            drain = Drain(terminals)
            figures = download(home, origin + "/big", f"{case}{run}")
            drain.close()
            # The first of each brings the file into memory.
            if run: cases[case].append(figures)
    for case, name, limit in (("five", "five clients", 1.02), ("stopped", "a stopped client", 1.02)):
        ratio = [statistics.median(a[k] / max(b[k], 0.001) for a, b in zip(cases[case], cases["alone"])) for k in (0, 1)]
        print(f"      {name}: processor time of the session x {ratio[1]:.2f}")
        verdict.check(f"{mebibytes} MiB with {name}: time beside that without, median of {runs}", ratio[0], limit, "x")
    times = [a[0] for a in cases["alone"]]
    print(f"      without clients: {statistics.median(times):.2f} s, from {min(times):.2f} to {max(times):.2f}")
    stopped = home.attach()
    stopped.read(1)
    os.kill(stopped.pid, signal.SIGSTOP)
    for run in range(3): download(home, origin + "/big", f"more{run}")
    verdict.check("memory that the session holds more, clients and a stopped one", screens.memory(home.pid) - held, 16, "MiB")
    stopped.close()
    home.run("stop")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--keys", type=int, default=300)
    parser.add_argument("--size", type=int, default=1024, help="MiB of the transfer that clients may slow")
    parser.add_argument("--part", choices=("start", "keys", "traffic", "slow"), action="append")
    args = parser.parse_args()
    folder, parts = Path(args.bin).resolve(), args.part or ("start", "keys", "traffic", "slow")
    home, verdict = sessions.Home(folder / "winch"), sessions.Verdict()
    try:
        silent, nowhere = sessions.silent_server()
        origin = home.fault_server(folder / "fault-server")
        if "start" in parts: start(home, verdict, args.runs, nowhere)
        if set(parts) & {"start", "keys", "traffic"}:
            (home.folder / "list").write_text(f"{origin}/f/moves?size=8G&rate=1M\n" + "".join(f"{nowhere}/f{i}.bin\n" for i in range(ROWS - 1)))
            home.run("serve", "-j", "1", "--progress", "simple", "-i", "list")
            if "start" in parts: first_frame(home, verdict, args.runs)
            if "keys" in parts: key_to_cell(home, verdict, args.keys, far_machine(home))
            if "traffic" in parts: traffic(home, verdict, origin)
            home.run("stop")
        if "slow" in parts:
            web = home.nginx()
            home.environment["XDG_STATE_HOME"] = str(home.folder / "slow")
            home.socket = home.folder / "slow/winch/session.socket"
            slowness(home, verdict, args.runs, args.size, web)
    finally:
        home.close()
    sys.exit(verdict.end())


main()
