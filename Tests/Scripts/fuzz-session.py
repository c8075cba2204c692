#!/usr/bin/env python3
"""Sends what no client would send to a session: lines by a grammar of the protocol, damaged ones, and noise.

Several clients at once; some read nothing, some leave in the middle of a line. All the time a good client asks for the state, which
must come within 5 s. Fails when the session ends, does not answer, sends a line that is not JSON, or holds more memory than it may.
"""
import json, os, random, select, socket, threading, time

from servers import Home, Verdict, local_sockets, memory, run_part, silent_server

CLIENTS = 12
# MiB that the session may hold.
MEMORY = 150
ACTIONS = ["follow", "status", "unfollow", "add", "pause", "resume", "retry", "cancel", "remove", "limit", "take-over", "command", "stop!"]
COMMANDS = ["pause", "resume", "pauseAll", "resumeAll", "cancel", "retry", "retryFailed", "add", "setURL", "remove", "restore", "setSlots",
            "setMode", "move", "shift", "setRateLimit", "watch", "setRateLimitEach", "changeConnections", "trust", "unlock", "resumed", "quit"]
FIELDS = ["n", "do", "ids", "names", "which", "rate", "batch", "folder", "specs", "command", "number", "visible", "hello", "client", "x"]
NUMBERS = [0, 1, 2, 3, 7, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 63 - 1, -2 ** 63, 2 ** 64, 10 ** 30, 1e308, -1e308, 1e-300]
TEXTS = ["", "a", "all", "failed", "waiting", "/", "/tmp", "../..", "\0", "\x1b[31m", "\u202e", "é" * 300, "x" * 5000, "-", "http://", "\ud83d\ude00"]


class Grammar:
    def __init__(self, chance, nowhere): self.chance, self.nowhere = chance, nowhere

    def pick(self, options): return self.chance.choice(options)

    def value(self, depth=0):
        kind = self.chance.randrange(9 if depth < 4 else 5)
        if kind < 2: return self.pick(NUMBERS)
        if kind < 4: return self.pick(TEXTS)
        if kind == 4: return self.pick([None, True, False])
        if kind < 7: return [self.value(depth + 1) for _ in range(self.chance.randrange(4))]
        return {self.pick(FIELDS + COMMANDS + ["_0", "id"]): self.value(depth + 1) for _ in range(self.chance.randrange(4))}

    def ids(self): return [self.pick([1, 2, 3, 5, 20, self.chance.randrange(1, 60)] + NUMBERS[:8] * (self.chance.random() < 0.3)) for _ in range(self.chance.randrange(6))]

    def command(self):
        """As the dashboard's: a case with its values."""
        inner = self.pick([{"_0": self.ids()}, {"_0": self.pick(NUMBERS)}, {"_0": self.pick(TEXTS)}, {}, {"_0": self.value()},
                           {"_0": self.ids(), "_1": self.pick(NUMBERS)}, {"_0": self.pick([1, 2, 9]), "by": self.pick(NUMBERS)},
                           {"_0": self.ids(), "by": self.pick(NUMBERS)}, {"at": self.pick(NUMBERS)},
                           {"_0": self.pick(["simple", "accurate"])}, {"_0": self.ids(), "_1": {self.pick(["up", "down"]): {}}}, {"_0": self.ids(), "_1": self.pick(["earlier", "later", "first", "last"])},
                           {"_0": self.pick([1, 2]), "_1": self.pick(TEXTS)}])
        return {self.pick(COMMANDS): inner}

    def batch(self):
        lines = []
        for _ in range(self.chance.randrange(5)):
            lines.append(f"{self.nowhere}/f{self.chance.randrange(1000)}")
            lines += self.chance.sample(["  out=../../x", "  out=" + self.pick(TEXTS), "  dir=" + self.pick(TEXTS), "  limit=1", "garbage", "  upload=/dev/zero",
                                         "  max-tries=" + str(self.pick(NUMBERS)), "  split=" + str(self.pick(NUMBERS))], self.chance.randrange(3))
        return "\n".join(lines) + self.pick(["", "\n", "\0", "\r\n\t"])

    def request(self):
        action = self.pick(ACTIONS)
        line = {"n": self.pick([1, 2, 3] + NUMBERS), "do": action}
        if action in ("pause", "resume", "retry", "cancel", "remove"):
            for field, value in (("ids", self.ids), ("names", lambda: [self.pick(TEXTS + ["f1", "f2"])]), ("which", lambda: self.pick(["all", "failed", "waiting", "x"]))):
                if self.chance.random() < 0.4: line[field] = value()
        if action == "add": line |= {"batch": self.batch(), "folder": self.pick(["/tmp/none", "/", "x", "/dev/null"])}
        if action == "limit": line["rate"] = self.pick(NUMBERS + [None])
        if action == "command": line["command"] = self.command()
        if action == "follow": line |= {"visible": self.ids(), "number": self.pick(NUMBERS)}
        # One in five has a field that does not belong there, or has another type.
        if self.chance.random() < 0.2: line[self.pick(FIELDS)] = self.value()
        return json.dumps(line).encode()

    def damaged(self):
        line = bytearray(self.request())
        for _ in range(self.chance.randint(1, 6)):
            place = self.chance.randrange(len(line) + 1)
            what = self.chance.randrange(4)
            if what == 0: line[place:place] = os.urandom(1)
            elif what == 1: del line[place:place + self.chance.randint(1, 9)]
            elif what == 2: line[place:place] = line[:self.chance.randrange(40)]
            else: line[place:place + 1] = self.pick([b"{", b"}", b"[", b'"', b"\\u0000", b"\xff", b",", b"-", b"9" * 40])
        return bytes(line)

    def noise(self):
        return self.pick([
            lambda: os.urandom(self.chance.randrange(3000)), lambda: b"[" * self.chance.randrange(100_000), lambda: b'{"a":' * 3000,
            lambda: b'{"n":1,"do":"' + b"x" * self.chance.randrange(200_000) + b'"}', lambda: json.dumps(self.value()).encode(),
            lambda: b"\n" * 1000, lambda: b"9" * 10_000, lambda: b'{"n":' + b"9" * 5000 + b',"do":"status"}'])()

    def line(self):
        share = self.chance.random()
        return self.request() if share < 0.6 else self.damaged() if share < 0.9 else self.noise()


class Attack(threading.Thread):
    """Clients of one kind after another."""

    def __init__(self, home, seed, nowhere, end):
        super().__init__(daemon=True)
        self.home, self.end, self.lines, self.trouble = home, end, 0, None
        self.grammar = Grammar(random.Random(seed), nowhere)

    def run(self):
        while time.monotonic() < self.end and not self.trouble:
            try: self.client()
            except (BrokenPipeError, ConnectionResetError, socket.timeout, BlockingIOError): pass
            except OSError as error:
                if time.monotonic() < self.end: self.trouble = f"a client cannot connect: {error}"

    def client(self):
        chance, unread = self.grammar.chance, b""
        reads = chance.random() < 0.8
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(5)
            link.connect(str(self.home.socket))
            if chance.random() < 0.95: link.sendall(b'{"hello":1,"client":"fuzz"}\n')
            for _ in range(chance.randrange(200)):
                if time.monotonic() > self.end: break
                link.settimeout(0.3)
                # The session is not to be ended.
                line = self.grammar.line().replace(b'"stop"', b'"stopp"')
                link.sendall(line + (b"\n" if chance.random() < 0.97 else b""))
                self.lines += 1
                while reads and select.select([link], [], [], 0)[0]:
                    more = link.recv(1 << 18)
                    if not more: return
                    *whole, unread = (unread + more).split(b"\n")
                    for answer in whole: self.judge(answer)

    def judge(self, answer):
        try: json.loads(answer)
        except ValueError: self.trouble = f"a line that is not JSON: {answer[:300]!r}"


def ask(home):
    """Seconds until a good client has the state."""
    begun = time.monotonic()
    with home.session() as session:
        session.link.settimeout(10)
        session.request("status")
    return time.monotonic() - begun


def session(bin, seconds=600.0, seed=int(time.time())):
    """Attacks a session for so many seconds."""
    verdict = Verdict()
    with Home(bin) as home:
        silent, nowhere = silent_server()
        home.run("serve", "-j", "2", "-d", str(home.folder / "got"), *[f"{nowhere}/f{i}" for i in range(40)])
        pid = home.pid
        time.sleep(0.5)
        before, end = local_sockets(pid), time.monotonic() + seconds
        attacks = [Attack(home, seed * 1000 + i, nowhere, end) for i in range(CLIENTS)]
        for attack in attacks: attack.start()
        waits, trouble, most = [], [], 0
        while time.monotonic() < end and not trouble:
            time.sleep(0.2)
            try:
                waits.append(ask(home))
                most = max(most, memory(pid))
            except (OSError, ValueError, StopIteration, SystemExit) as error: trouble.append(f"a good client: {error!r}")
            trouble += [a.trouble for a in attacks if a.trouble]
        for attack in attacks: attack.join(5)
        isAlive = home.pid == pid
        time.sleep(0.5)
        for words in trouble[:5]: print("      " + words)
        if not isAlive or trouble: print((home.state / "session.log").read_text(errors="replace")[-1500:])
        verdict.check(f"seed {seed}: {sum(a.lines for a in attacks):,} lines, {len(waits)} questions: it lives and answers", isAlive and not trouble)
        verdict.check("the longest wait for the state", max(waits, default=99) * 1000, 5000, "ms")
        verdict.check("memory of the session, at most", most, MEMORY, "MiB")
        if isAlive: verdict.check("sockets of clients that are left behind", local_sockets(pid) - before, 0)
    return verdict.end()


run_part(__doc__, session)
