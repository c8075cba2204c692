#!/usr/bin/env python3
"""Attaches to a session and leaves it again and again under load; then kills sessions and their clients at random moments.

usage: torture-session BIN-FOLDER [--rounds N] [--kills N] [--seed S]

Load: small files, slow ones, failures and additions all the time. Clients leave by a key, by the end of their terminal, by SIGKILL,
or in the middle of a line. Between them all is paused, and the state of three clients is compared: of one that follows from
the start on, of one that has just come, and of `winch status --json`. After a kill each terminal must be as before, each entry that
was acknowledged must be in the list of the next session, and in the end all files must be right.
"""
import argparse, json, os, random, select, signal, socket, sys, termios, threading, time, urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import screens, sessions

# What leaving the dashboard has to write: the ordinary screen, and the cursor.
RESTORED = (b"\x1b[?1049l", b"\x1b[?25h")
MOMENTARY = ("rate", "finish", "stalledSince", "meanRate")


class Follower(threading.Thread):
    """A client by the man page that follows all the time."""

    def __init__(self, home):
        super().__init__(daemon=True)
        self.session, self.lock, self.trouble = sessions.client.Session(str(home.socket)), threading.Lock(), None
        self.session.request("follow")

    def run(self):
        try:
            lines = map(json.loads, self.session.lines)
            for line in lines:
                with self.lock:
                    if "update" in line: self.session.apply(line["update"])
                    if "closing" in line: self.trouble = line["closing"]
        except (OSError, ValueError, AssertionError, KeyError) as error:
            self.trouble = repr(error)

    def state(self):
        with self.lock: return rows(self.session)


def plain(row): return {key: value for key, value in row.items() if key not in MOMENTARY}


def rows(session): return [plain(session.rows[id]) for id in session.order if id in session.rows]


def fresh(home):
    session = sessions.client.Session(str(home.socket))
    session.request("status")
    session.link.close()
    return rows(session)


def compare(home, follower):
    """Pauses all, and compares what clients know. Returns what differs, or nothing."""
    home.run("pause", "--all")
    trouble = ""
    for _ in range(100):
        time.sleep(0.1)
        states = {"the one that follows": follower.state(), "a new one": fresh(home)}
        truth = [plain(row) for row in home.status()["transfers"]]
        if any(row["state"] in ("moving", "connecting", "requested", "verifying") for row in truth): continue
        wrong = [name for name, state in states.items() if state != truth]
        if not wrong: break
        name = wrong[0]
        pairs = [(a, b) for a, b in zip(states[name], truth) if a != b]
        trouble = f"{name} has another state: {len(states[name])} rows beside {len(truth)}, {str(pairs[:1])[:600]}"
    else: trouble = trouble or "transfers do not end after a pause"
    home.run("resume", "--all")
    return "" if not trouble or states["a new one"] == truth == states["the one that follows"] else trouble


def visit(home, chance):
    """One client that comes and leaves in some way."""
    way = chance.choice(("key", "key", "key", "hang up", "kill", "protocol", "half a line", "unread"))
    if way in ("protocol", "half a line", "unread"):
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(home.socket))
            link.sendall(b'{"hello":1,"client":"torture"}\n{"n":1,"do":"follow"}\n')
            if way == "half a line": link.sendall(b'{"n":2,"do":"pau')
            end = time.monotonic() + chance.uniform(0, 0.4)
            while way == "protocol" and time.monotonic() < end: link.recv(1 << 16)
            if way == "unread": time.sleep(0.3)
        return ""
    screen = home.attach(columns=chance.randint(20, 160), rows=chance.randint(5, 60))
    output = screen.read(chance.uniform(0, 0.5))
    if way == "kill":
        screen.close()
        return ""
    if way == "hang up":
        os.close(screen.master)
    else:
        for key in chance.choices([b"j", b"k", b"G", b"g", b"?", b"\x1b", b"l"], k=chance.randint(0, 4)): screen.press(key)
        # It ends by an Escape that closes what is open, and may come before the dashboard does.
        for _ in range(40):
            screen.press(b"\x1b")
            output += screen.read(0.05)
            screen.press(b"q")
            output += screen.read(0.2)
            if ended(screen.pid): return ""
    for _ in range(100):
        if ended(screen.pid): return ""
        time.sleep(0.05)
    screen.close() if way == "key" else os.kill(screen.pid, signal.SIGKILL)
    return f"a client does not end ({way}): {output[-200:]!r}"


def ended(pid):
    try: return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError: return True


def feed(home, origin, chance, stop):
    """Adds and removes transfers all the time."""
    number = 0
    while not stop.is_set():
        batch = []
        for _ in range(chance.randint(1, 6)):
            number += 1
            kind = chance.choice(("size=20000", "size=3M&rate=300K", "size=200K&rate=100K", "status=404", "size=2M&drop=1M"))
            batch.append(f"{origin}/f/n{number}?{kind}\n  out=n{number}")
        try:
            link = sessions.client.Session(str(home.socket))
            link.request("add", batch="\n".join(batch), folder=str(home.folder / "got"))
            settled = []
            if number % 3 == 0:
                link.request("status")
                settled = [i for i, row in link.rows.items() if row["state"] in ("finished", "failed")]
            if len(settled) > 100: link.request("remove", ids=settled[:80])
            link.link.close()
        except (OSError, SystemExit, StopIteration, RuntimeError): pass
        stop.wait(chance.uniform(0.05, 0.4))


def come_and_go(home, verdict, origin, rounds, seed):
    (home.folder / "got").mkdir(exist_ok=True)
    (home.folder / "rows").write_text("".join(f"{origin}/f/w{i}?size=1M&rate=1K\n" for i in range(2000)))
    home.run("serve", "-j", "12", "--per-host", "12", "-d", "got", "-i", "rows")
    pid, follower, stop = home.pid, Follower(home), threading.Event()
    follower.start()
    time.sleep(0.5)
    before = sessions.local_sockets(pid)
    feeder = threading.Thread(target=feed, args=(home, origin, random.Random(seed), stop))
    feeder.start()
    figures, trouble, compared, done = [], [], 0, 0
    with ThreadPoolExecutor(4) as pool:
        while done < rounds and not trouble and home.pid == pid:
            count = min(50, rounds - done)
            trouble += [t for t in pool.map(lambda i: visit(home, random.Random(seed * 100_000 + i)), range(done, done + count)) if t]
            done += count
            stop.set(); feeder.join()
            if difference := compare(home, follower): trouble.append(difference)
            compared += 1
            time.sleep(0.3)
            figures.append((sessions.descriptors(pid), screens.memory(pid)))
            stop = threading.Event()
            feeder = threading.Thread(target=feed, args=(home, origin, random.Random(seed + done), stop))
            feeder.start()
            print(f"      {done} came and went, {figures[-1][0]} descriptors, {figures[-1][1]:.1f} MiB", flush=True)
    stop.set(); feeder.join()
    for words in trouble: print("      " + words)
    verdict.check(f"{done} clients came and went, {compared} comparisons: equal states", not trouble and done == rounds and not follower.trouble)
    if follower.trouble: print("      " + follower.trouble)
    # Without clients and transfers: what is left of them.
    home.run("pause", "--all")
    time.sleep(2)
    held = screens.memory(pid)
    warm = figures[min(len(figures) - 1, max(1, len(figures) // 5))]
    verdict.check("descriptors after the last visit, beside those after a fifth of them", sessions.descriptors(pid) - warm[0], 12)
    verdict.check("memory after the last visit, beside that after a fifth of them", held - warm[1], 4, "MiB")
    verdict.check("sockets of clients that are left behind", sessions.local_sockets(pid) - before, 0)
    home.run("stop")


def kills(home, verdict, origin, count, seed):
    """Kills in turns: the session, a client, both."""
    folder = home.folder / "kills"
    folder.mkdir()
    chance, added, lost, terminals, slow, number = random.Random(seed), {}, [], [], [], 0
    lock = threading.Lock()

    def add(stop, number):
        """Adds one entry after another; those that were acknowledged count."""
        chance = random.Random(seed * 7 + number)
        while not stop.is_set():
            number += 1
            name, size = f"k{number}", chance.randint(1, 300_000)
            try:
                link = sessions.client.Session(str(home.socket))
                link.request("add", batch=f"{origin}/f/{name}?size={size}&rate=400K\n  out={name}", folder=str(folder))
                with lock: added[name] = size
                link.link.close()
            except (OSError, SystemExit, StopIteration, RuntimeError, ValueError): pass
            stop.wait(chance.uniform(0.0, 0.15))
        return number

    for turn in range(count):
        if home.pid is None: home.run("serve", "-j", "8", "--per-host", "8")
        pid, whom = home.pid, ("session", "client", "both", "guarded")[turn % 4]
        with lock: known = set(added)
        # Everything that was acknowledged is in the list, or was finished in an earlier session and is a file.
        names = {row["name"] for row in home.status()["transfers"]}
        lost += [n for n in known - names if not (folder / n).exists()]
        screen = home.attach()
        before = termios.tcgetattr(screen.master)
        stop = threading.Event()
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(add, stop, number)
            output = screen.read(chance.uniform(0.01, 0.7))
            if whom in ("session", "both"): os.kill(pid, signal.SIGKILL)
            if whom in ("client", "both"): os.kill(screen.pid, signal.SIGKILL)
            if whom == "guarded": os.kill(screen.pid, chance.choice((signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGSEGV)))
            if whom == "guarded": screen.press(b"q\x1bq")
            stop.set()
            number = future.result()
        end = time.monotonic() + 10
        while not ended(screen.pid) and time.monotonic() < end:
            output += drained(screen)
            if whom == "guarded": screen.press(b"q")
        if time.monotonic() >= end: slow.append((turn, whom, output[-300:]))
        # The guardian of the terminal may end a moment after the dashboard.
        isRestored = lambda: (after := termios.tcgetattr(screen.master))[:4] == before[:4] and (
            b"\x1b[?1049h" not in output or output.rfind(RESTORED[0]) > output.rfind(b"\x1b[?1049h"))
        while not isRestored() and time.monotonic() < end: output += drained(screen)
        if not isRestored(): terminals.append((turn, whom, output[-300:]))
        os.close(screen.master)
        if turn % 25 == 24: print(f"      {turn + 1} kills, {len(added)} added, {len(lost)} lost, {len(terminals)} terminals not restored", flush=True)
    if home.pid is None: home.run("serve", "-j", "8", "--per-host", "8")
    home.run("resume", "--all")
    end, open_rows = time.monotonic() + 300, ["?"]
    while open_rows and time.monotonic() < end:
        time.sleep(0.5)
        status = home.status()["transfers"]
        open_rows = [r for r in status if r["state"] not in ("finished", "failed", "cancelled")]
    failed = [r for r in status if r["state"] != "finished"]
    wrong = [n for n, size in added.items() if not right(folder / n, origin, size)]
    for what, items in (("lost", lost), ("not restored", terminals), ("does not end", slow), ("failed", failed), ("wrong", wrong)):
        for item in items[:3]: print(f"      {what}: {item}")
    verdict.check(f"{count} kills, {len(added)} entries acknowledged: entries lost", len(set(lost)), 0)
    verdict.check("transfers that did not finish", len(failed) + len(open_rows), 0)
    verdict.check("files that are wrong or missing", len(wrong), 0)
    verdict.check("terminals not restored", len(terminals), 0)
    verdict.check("clients that did not end", len(slow), 0)
    home.run("stop")


def drained(screen):
    if not select.select([screen.master], [], [], 0.05)[0]: return b""
    try: return os.read(screen.master, 1 << 16)
    except OSError:
        time.sleep(0.02)
        return b""


def right(path, origin, size):
    """The file is what the server sends for its name when it does not misbehave."""
    if not path.exists() or path.stat().st_size != size: return False
    with urllib.request.urlopen(f"{origin}/f/{path.name}?size={size}") as answer: return answer.read() == path.read_bytes()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("--rounds", type=int, default=1000, help="clients that come and go")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    folder = Path(args.bin).resolve()
    print(f"seed {args.seed}", flush=True)
    home, verdict = sessions.Home(folder / "winch"), sessions.Verdict()
    try:
        origin = home.fault_server(folder / "fault-server")
        if args.rounds: come_and_go(home, verdict, origin, args.rounds, args.seed)
        if args.kills:
            home.environment["XDG_STATE_HOME"] = str(home.folder / "kill-state")
            home.socket = home.folder / "kill-state/winch/session.socket"
            kills(home, verdict, origin, args.kills, args.seed)
    finally:
        home.close()
    sys.exit(verdict.end())


main()
