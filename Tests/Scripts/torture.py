#!/usr/bin/env python3
"""Breaks connections and kills programs at random moments, and checks that nothing is lost or wrong.

usage: torture.py upload|session|tree|cluster BIN [OPTION...]
"""
import asyncio, concurrent.futures, contextlib, email.utils, getpass, itertools, json, math, os, random, re, select, shutil, signal
import socket, struct, subprocess, sys, termios, threading, time, urllib.request

from servers import TUS, Home, NatsServer, Table, Verdict, descriptors, free_port, load, local_sockets, memory, run_part, until

SEED = random.randint(1, 999_999)
# Bytes a second that the relay lets through, and what an upload that is resumed may send again.
RATE = 2 << 20
OVERLAP = 64 << 10
SIZES = (1 << 20, 6 << 20)
# Bytes that a client of SFTP sends besides the file.
DIALOGUE = 6000
# Bytes of a connection besides the body: requests and the exchange of keys; SFTP adds 1 % for its packets.
BESIDES = 16 << 10
# How the dashboard turns to a screen of its own, and back when it ends.
OWN_SCREEN, ORDINARY_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"
MOMENTARY = ("rate", "finish", "stalledSince", "meanRate")
# Fields of a row that `winch status --json` writes as the protocol does.
SHARED = ("id", "name", "direction", "host", "url", "state", "have")
SETTLED = ("finished", "failed", "cancelled")
# How a server of a tree of files lists its folders, and what it does wrong.
FORMS = ("nginx", "nginx-json", "python", "dav", "s3")
TREE_FAULTS = ("", "hostile", "slow=0.02", "noetag", "only=files,dropfirst=8K", "only=files,dropfirst=8K,reset,noetag",
               "only=files,rate=40K", "only=folders,latency=0.2", "only=dir-1,status=close+200", "only=file-3.bin,status=503+reset+200")
# Seconds that a fleet may stand still when the leader of its servers is killed.
MOST = 5.0


class Relay:
    """Stands between one winch and a server, and cuts."""
    loop = asyncio.new_event_loop()

    def __init__(self, protocol, port, size, chance):
        self.protocol, self.size, self.chance = protocol, size, chance
        self.passed = self.connections = self.cuts = 0
        self.left_cuts, self.open, self.listeners, self.due = chance.randint(1, 4), set(), [], time.monotonic()
        self.plan()
        self.port = self.call(self.listen(port, protocol != "ftp"))

    def call(self, work): return asyncio.run_coroutine_threadsafe(work, self.loop).result(20)

    def plan(self):
        """The next cut: after so many bytes more. One in eight is at the end of the body."""
        due = self.size if self.protocol == "put" else max(1, self.size - self.passed)
        if self.size < DIALOGUE: due = DIALOGUE
        span = due if self.chance.random() < 0.125 and self.protocol != "sftp" else self.chance.randrange(due)
        self.cut_in = span if self.left_cuts > 0 else math.inf

    async def listen(self, port, counts):
        """Returns the port on which it stands for another one. `counts`: clients send the file there, not FTP's commands."""
        async def connect(client, back):
            try: server, forth = await asyncio.open_connection("127.0.0.1", port)
            except OSError: return back.close()
            self.connections += 1
            self.open |= {back, forth}
            sending = asyncio.ensure_future(self.pump(client, forth, counts, False))
            await self.pump(server, back, False, not counts)
            sending.cancel()
            self.shut({back, forth})

        self.listeners.append(await asyncio.start_server(connect, "127.0.0.1", 0, limit=16 << 10))
        return self.listeners[-1].sockets[0].getsockname()[1]

    async def pump(self, source, target, counts, names_ports):
        with contextlib.suppress(OSError, asyncio.CancelledError):
            while data := await source.read(32 << 10):
                if names_ports and (found := re.search(rb"\(\|\|\|(\d+)\|\)", data)):
                    data = data.replace(found[0], b"(|||%d|)" % await self.listen(int(found[1]), True))
                if counts:
                    # What may pass before the next cut, after the time that it takes.
                    data = data[:max(1, min(self.cut_in, len(data)))]
                    self.passed += len(data)
                    self.cut_in -= len(data)
                    self.due = max(self.due, time.monotonic() - 0.05) + len(data) / RATE
                    await asyncio.sleep(self.due - time.monotonic())
                target.write(data)
                await target.drain()
                if counts and self.cut_in <= 0: return self.cut()
            target.write_eof()

    def cut(self):
        self.cuts += 1
        self.left_cuts -= 1
        self.shut(set(self.open), resets=self.chance.random() < 0.5)
        self.plan()

    def shut(self, sides, resets=False):
        for side in sides & self.open:
            if resets:
                side.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                side.transport.abort()
            side.close()
        self.open -= sides

    async def close(self):
        for listener in self.listeners: listener.close()
        self.shut(set(self.open))


def arrived(home, protocol, name):
    """The file at the server; `None`: there is none."""
    if protocol != "tus": return path if (path := home.got / name).exists() else None
    for info in (home.folder / "tus").glob("*.info"):
        text, path = info.read_text(), info.with_suffix("")
        if f'"{name}"' in text and path.exists() and path.stat().st_size: return path


def put(home, source, url, *options):
    """Uploads a file; returns the events and the exit code."""
    command = [home.winch, "put", str(source), url, "--ephemeral", "--output", "json", "--retry-wait", "0.1", *options]
    try: run = subprocess.run(command, env=home.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=180)
    except subprocess.TimeoutExpired: return [], "does not end"
    return [json.loads(line) for line in run.stdout.splitlines()], run.returncode


def upload_through_cuts(seed, protocol, home, port):
    """One file, until it has arrived. Returns cuts, bytes sent again, bytes taken back, and what is wrong."""
    chance = random.Random(f"{seed} {protocol}")
    # A small file is cut at the login, or when it is renamed.
    size = 100 if protocol == "sftp" and chance.random() < 0.3 else chance.randint(*SIZES)
    name = f"{protocol}-{seed}"
    source, content = home.folder / name, chance.randbytes(size)
    source.write_bytes(content)
    relay = Relay(protocol, port, size, chance)
    origin = f"127.0.0.1:{relay.port}"
    url, options = {
        "put": (f"http://{origin}/{name}", []),
        "tus": (f"http://{origin}/files/", ["--resumable", "tus"]),
        "ftp": (f"ftp://{origin}/got/{name}", ["--ftp-tls", "off"]),
        "sftp": (f"sftp://{getpass.getuser()}@{origin}{home.got}/{name}", ["--insecure"]),
    }[protocol]
    lines, code = put(home, source, url, "--max-tries", "20", *options)
    relay.call(relay.close())
    reasons = "; ".join(l.get("reason", "") for l in lines if l.get("event") in ("failed", "retrying"))
    faults = [f"exit {code}: {reasons}"] if code else []
    copy = arrived(home, protocol, name)
    if copy is None and code == 0: faults.append("no file at the server")
    if copy and (protocol != "tus" or code == 0) and copy.read_bytes() != content:
        faults.append(f"a wrong file at the server: {copy.stat().st_size} of {size} bytes")
    taken_back = -sum(min(0, l.get("delta", 0)) for l in lines if l.get("id"))
    besides = BESIDES * relay.connections + (relay.passed // 100 if protocol == "sftp" else 0)
    again = max(0, relay.passed - size - besides)
    if protocol == "put": faults += wrong_figures(lines)
    elif again > relay.cuts * (OVERLAP + RATE): faults.append(f"{again} bytes sent again for {relay.cuts} cuts")
    source.unlink()
    if copy: copy.unlink()
    return relay.cuts, again, taken_back, faults


def wrong_figures(lines):
    """What is not exact in the figures of a PUT."""
    faults, sent = [], 0
    for line in lines:
        event, before = line.get("event"), sent
        sent += line.get("delta", 0) if line.get("id") and event not in ("added", "failed") else 0
        if "sent" in line and line["sent"] != sent: faults.append(f"{event}: sent {line['sent']}, the changes add up to {sent}")
        if event == "retrying" and line["sent"] != 0: faults.append(f"retrying with {line['sent']} sent")
        if event == "rebase" and line.get("delta") != -before: faults.append(f"{before} sent, {line.get('delta')} taken back")
    return faults


def upload(bin, cuts=1000, seed=SEED):
    """Cuts the connections of uploads by tus, SFTP, FTP and PUT at random bytes, and compares what arrives with the source.

    Between winch and a real server (tuspyserver, OpenSSH, vsftpd, nginx) stands a relay that lets 2 MiB a second through and cuts up
    to four times. Wrong: a file at the server that is not the source, a run that fails, more sent again than the overlap of 64 KiB
    and a second's worth for each cut, and for a PUT a count that is not taken back to exactly 0. Each round has the seed + its number.
    """
    protocols, jobs = ["tus", "sftp", "ftp", "put"], 12
    if not TUS.exists():
        print("tuspyserver is missing (setup.sh test installs it): no cuts over tus")
        protocols.remove("tus")
    is_wrong, share = False, -(-cuts // len(protocols))
    threading.Thread(target=Relay.loop.run_forever, daemon=True).start()
    with Home(bin) as home:
        home.folder.chmod(0o755)
        ports = {name: getattr(home, name)() for name in protocols}
        table = Table(("", "6"), ("rounds", ">8"), ("cuts", ">7"), ("wrong", ">7"), ("KiB again a cut", ">17.0f"), ("at most", ">9.0f"),
                      ("KiB taken back a cut", ">22.0f"))
        for name in protocols:
            done = again = taken_back = wrong = number = worst = 0
            with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                while done < share:
                    # A round has about two cuts.
                    seeds = range(seed + number, seed + number + max(1, min(8 * jobs, (share - done) // 2)))
                    number += len(seeds)
                    for own, (some, more, back, faults) in zip(seeds, pool.map(lambda own: upload_through_cuts(own, name, home, ports[name]), seeds)):
                        done, again, taken_back, wrong = done + some, again + more, taken_back + back, wrong + bool(faults)
                        worst = max(worst, more / max(1, some))
                        if faults: print(f"✘ {name}, --seed {own}: " + "; ".join(faults), flush=True)
            is_wrong = is_wrong or wrong > 0
            table.row(name, number, done, wrong, again / max(1, done) / 1024, worst / 1024, taken_back / max(1, done) / 1024)
    return int(is_wrong)


class Follower(threading.Thread):
    """A client by the man page that follows all the time."""

    def __init__(self, home):
        super().__init__(daemon=True)
        self.session, self.lock, self.trouble = home.session(), threading.Lock(), None
        self.session.request("follow")

    def run(self):
        try:
            for line in map(json.loads, self.session.lines):
                with self.lock:
                    if "update" in line: self.session.apply(line["update"])
                    if "closing" in line: self.trouble = line["closing"]
        except (OSError, ValueError, AssertionError, KeyError) as error:
            self.trouble = repr(error)

    def state(self):
        with self.lock: return rows(self.session)


def rows(session):
    """In order, without what changes by itself."""
    known = [session.rows[id] for id in session.order if id in session.rows]
    return [{key: value for key, value in row.items() if key not in MOMENTARY} for row in known]


def fresh(home):
    with home.session() as session: session.request("status")
    return rows(session)


def compare_states(home, follower):
    """Pauses all, and compares what clients know. Returns what differs, or nothing."""
    home.run("pause", "--all")
    difference = ""

    def is_equal():
        nonlocal difference
        states, truth = [follower.state(), fresh(home)], home.status()["transfers"]
        short = [[tuple(map(row.get, SHARED)) for row in rows] for rows in (states[1], truth)]
        pairs = [pair for pair in [*zip(*states), *zip(*short)] if pair[0] != pair[1]]
        counts = [len(states[0]), len(states[1]), len(truth)]
        is_busy = any(row["state"] in ("moving", "connecting", "requested", "verifying") for row in truth)
        difference = "transfers do not end after a pause" if is_busy else (
            f"rows of the client that follows, a new one and status: {counts}, {str(pairs[:1])[:600]}" if pairs or len(set(counts)) > 1 else "")
        return not difference

    until(is_equal, seconds=30)
    home.run("resume", "--all")
    return difference


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
    if until(lambda: ended(screen.pid), seconds=5): return ""
    screen.close() if way == "key" else os.kill(screen.pid, signal.SIGKILL)
    return f"a client does not end ({way}): {output[-200:]!r}"


def ended(pid):
    try: return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError: return True


@contextlib.contextmanager
def feeding(home, step, longest):
    """Calls `step` all the time with a new session and waits for at most so many seconds, in a thread."""
    is_over = threading.Event()

    def run():
        while not is_over.wait(random.uniform(0.02, longest)):
            with contextlib.suppress(OSError, SystemExit, StopIteration, RuntimeError, ValueError), home.session() as session: step(session)

    thread = threading.Thread(target=run)
    thread.start()
    try: yield
    finally:
        is_over.set()
        thread.join()


def mixed_load(home, origin, chance):
    """A step that adds a few transfers, and removes those that have ended when there are many."""
    numbers = itertools.count(1)

    def step(session):
        kinds = ("size=20000", "size=3M&rate=300K", "size=200K&rate=100K", "status=404", "size=2M&drop=1M")
        batch = [f"{origin}/f/n{number}?{chance.choice(kinds)}\n  out=n{number}" for number in itertools.islice(numbers, chance.randint(1, 6))]
        session.request("add", batch="\n".join(batch), folder=str(home.got))
        if chance.random() < 0.7: return
        session.request("status")
        settled = [i for i, row in session.rows.items() if row["state"] in ("finished", "failed")]
        if len(settled) > 100: session.request("remove", ids=settled[:80])

    return step


def come_and_go(home, verdict, origin, rounds, seed):
    """Clients that attach and leave under load; between them the states are compared."""
    (home.folder / "rows").write_text("".join(f"{origin}/f/w{i}?size=1M&rate=1K\n" for i in range(2000)))
    home.run("serve", "-j", "12", "--per-host", "12", "-d", "got", "-i", "rows")
    pid, follower = home.pid, Follower(home)
    follower.start()
    time.sleep(0.5)
    before, step = local_sockets(pid), mixed_load(home, origin, random.Random(seed))
    held, trouble, done = [], [], 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        while done < rounds and not trouble and home.pid == pid:
            count = min(50, rounds - done)
            with feeding(home, step, 0.4):
                trouble += pool.map(lambda i: visit(home, random.Random(seed * 100_000 + i)), range(done, done + count))
            done += count
            trouble = [words for words in trouble + [compare_states(home, follower)] if words]
            time.sleep(0.3)
            held.append((descriptors(pid), memory(pid)))
            print(f"      {done} came and went, {held[-1][0]} descriptors, {held[-1][1]:.1f} MiB", flush=True)
    for words in filter(None, trouble + [follower.trouble]): print("      " + words)
    verdict.check(f"{done} clients came and went, {len(held)} comparisons: equal states",
                  not trouble and done == rounds and not follower.trouble)
    # Without clients and transfers: what is left of them.
    home.run("pause", "--all")
    time.sleep(2)
    after = memory(pid)
    warm = held[min(len(held) - 1, max(1, len(held) // 5))]
    verdict.check("descriptors after the last visit, beside those after a fifth of them", descriptors(pid) - warm[0], 12)
    verdict.check("memory after the last visit, beside that after a fifth of them", after - warm[1], 4, "MiB")
    verdict.check("sockets of clients that are left behind", local_sockets(pid) - before, 0)
    home.run("stop")


def kill_sessions(home, verdict, origin, count, seed):
    """Kills in turns: the session, a client, both, and a client by a signal that its guardian notices."""
    folder = home.folder / "kills"
    folder.mkdir()
    chance, added, lost, terminals, slow, numbers = random.Random(seed), {}, [], [], [], itertools.count(1)

    def add(session):
        """Adds one entry; it counts once it is acknowledged."""
        name, size = f"k{next(numbers)}", random.randint(1, 300_000)
        session.request("add", batch=f"{origin}/f/{name}?size={size}&rate=400K\n  out={name}", folder=str(folder))
        added[name] = size

    for turn in range(count):
        if home.pid is None: home.run("serve", "-j", "8", "--per-host", "8")
        pid, victim = home.pid, ("session", "client", "both", "guarded")[turn % 4]
        # Everything that was acknowledged is in the list, or was finished in an earlier session and is a file.
        names = {row["name"] for row in home.status()["transfers"]}
        lost += [n for n in added.keys() - names if not (folder / n).exists()]
        screen = home.attach()
        before = termios.tcgetattr(screen.master)
        with feeding(home, add, 0.15):
            output = screen.read(chance.uniform(0.01, 0.7))
            if victim in ("session", "both"): os.kill(pid, signal.SIGKILL)
            if victim in ("client", "both"): os.kill(screen.pid, signal.SIGKILL)
            if victim == "guarded":
                os.kill(screen.pid, chance.choice((signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGSEGV)))
                screen.press(b"q\x1bq")
        end = time.monotonic() + 10
        while not ended(screen.pid) and time.monotonic() < end:
            output += drained(screen)
            if victim == "guarded": screen.press(b"q")
        if time.monotonic() >= end: slow.append((turn, victim, output[-300:]))
        # The guardian of the terminal may end a moment after the dashboard.
        is_restored = lambda: termios.tcgetattr(screen.master)[:4] == before[:4] and (
            OWN_SCREEN not in output or output.rfind(ORDINARY_SCREEN) > output.rfind(OWN_SCREEN))
        while not is_restored() and time.monotonic() < end: output += drained(screen)
        if not is_restored(): terminals.append((turn, victim, output[-300:]))
        os.close(screen.master)
    if home.pid is None: home.run("serve", "-j", "8", "--per-host", "8")
    home.run("resume", "--all")
    until(lambda: all(row["state"] in SETTLED for row in home.status()["transfers"]), seconds=300)
    failed = [row for row in home.status()["transfers"] if row["state"] != "finished"]
    wrong = [name for name, size in added.items() if not is_right(folder / name, origin, size)]
    for what, items in (("lost", lost), ("not restored", terminals), ("does not end", slow), ("failed", failed), ("wrong", wrong)):
        for item in items[:3]: print(f"      {what}: {item}")
    verdict.check(f"{count} kills, {len(added)} entries acknowledged: entries lost", len(set(lost)), 0)
    verdict.check("transfers that did not finish", len(failed), 0)
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


def is_right(path, origin, size):
    """The file is what the server sends for its name when it does not misbehave."""
    if not path.exists() or path.stat().st_size != size: return False
    with urllib.request.urlopen(f"{origin}/f/{path.name}?size={size}") as answer: return answer.read() == path.read_bytes()


def session(bin, rounds=1000, kills=300, seed=SEED):
    """Attaches to a session and leaves it again and again under load; then kills sessions and their clients at random moments.

    Load: small files, slow ones, failures and additions all the time. Clients leave by a key, by the end of their terminal, by SIGKILL,
    or in the middle of a line. Between them all is paused, and the state of three clients is compared: of one that follows from
    the start on, of one that has just connected, and of `winch status --json`. After a kill each terminal must be as before, each entry
    that was acknowledged must be in the list of the next session, and in the end all files must be right.
    """
    print(f"seed {seed}", flush=True)
    verdict = Verdict()
    with Home(bin) as home:
        origin = home.fault_server()
        if rounds: come_and_go(home, verdict, origin, rounds, seed)
        if kills:
            home.use_state("kill-state")
            kill_sessions(home, verdict, origin, kills, seed)
    return verdict.end()


def wrong_files(base, origin, options, is_hostile):
    """What is not as the tree with these options in `dl/pub`, in a folder that holds nothing else."""
    found = {path.relative_to(base).as_posix(): path for path in base.rglob("*") if path.is_symlink() or not path.is_dir()}
    given = {name: int(value) for name, value in (option.split("=") for option in options.split(",") if "size" not in option)}
    inner = [f"dir-{i}/" for i in range(given["folders"])]
    counts = {"": given["entries"]} | {folder: given["files"] for folder in inner + [a + b for a in inner for b in inner]}
    wanted = {f"dl/pub/{folder}file-{number}.bin" for folder, count in counts.items() for number in range(count)}
    # The odd names are those of files beside the others.
    more = {path for path in found.keys() - wanted if not is_hostile or not re.fullmatch(r"dl/pub/(?!file-\d|\.winch)[^/]+", path)}
    faults = [f"missing: {path}" for path in wanted - found.keys()] + [f"nothing of the tree: {path!r}" for path in more]
    for path in wanted & found.keys():
        with urllib.request.urlopen(f"{origin}/tree/{options}/{path[len('dl/pub/'):]}") as answer:
            if answer.read() != found[path].read_bytes(): faults.append(f"wrong: {path}")
            time = email.utils.parsedate_to_datetime(answer.headers["Last-Modified"]).timestamp()
            # A complete part that is found again gets the listing's time, which many forms cut down to minutes.
            if found[path].stat().st_mtime not in (time, time // 60 * 60): faults.append(f"has another time: {path}")
    return faults


def tree_through_kills(home, origin, seed, most):
    """Downloads one tree through at most so many kills. Returns their number and what is wrong."""
    chance, base, kills = random.Random(seed), home.folder / "tree", 0
    for path in (base, home.folder / "state"): shutil.rmtree(path, ignore_errors=True)
    base.mkdir()
    # No folder lists the same as one above it, which would be left out as a loop.
    options = f"files={chance.randint(2, 25)},entries={chance.randint(26, 40)},folders=3,depth=2,size=20K,seed={seed}"
    form, fault = chance.choice(FORMS), chance.choice(TREE_FAULTS)
    own = ["-j", "8", "--output", "json"]
    first = [home.winch, "-r", f"{origin}/tree/{','.join(filter(None, (f'form={form}', options, fault)))}/pub/", "-d", "dl", "--retry-wait", "0.1", *own]
    reopened = [home.winch, *own]
    state = lambda: {path: path.stat() for path in base.rglob("*") if path.is_file()}

    def run(command, seconds):
        with open(home.folder / "tree.log", "wb") as log:
            process = subprocess.Popen(command, cwd=base, env=home.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            try: return process.wait(seconds)
            except subprocess.TimeoutExpired: process.kill()
            process.wait()

    command, code, is_begun = first, None, False
    while code is None and kills < most:
        code = run(command, chance.uniform(0.01, 1.2))
        # A run that was killed before it had saved what to do leaves nothing to go on with.
        if command is reopened and not is_begun: code = None
        kills, is_begun = kills + (code is None), is_begun or bool(state())
        if code is None: command = chance.choice((first, reopened))
    if code is None: command, code = first, run(first, 120)
    words = f"{form} {fault} {options}"
    # Some links of a hostile listing lead nowhere.
    right = (0, 3) if fault == "hostile" else (0,)
    if code not in right:
        return kills, [f"{words}: exit code {code} of {'winch' if command is reopened else 'winch -r'} after {kills} kills"]
    faults, before = wrong_files(base, origin, options, fault == "hostile"), state()
    # Again: there is nothing to do.
    if (code := run(first, 120)) not in right: faults.append(f"exit code {code} of the same command again")
    after = state()
    faults += [f"replaced or added by the same command again: {path}" for path, own in after.items()
               if path not in before or (own.st_ino, own.st_mtime) != (before[path].st_ino, before[path].st_mtime)]
    return kills, [f"{words}: {fault}" for fault in faults]


def tree(bin, kills=500, seed=SEED):
    """Kills downloads of whole folders at random moments until all is there, and compares it with what the server has.

    Each tree is that of a server with its own form of listings and its own faults. A killed run goes on by `winch` alone or by the same
    command. In the end each file must be there once with its bytes and its time, nothing besides, and the same command again must
    change nothing. The trees have the seed and the numbers that follow.
    """
    print(f"seed {seed}", flush=True)
    verdict, done, wrong, number = Verdict(), 0, 0, 0
    with Home(bin) as home:
        origin = home.fault_server()
        while done < kills:
            some, faults = tree_through_kills(home, origin, seed + number, kills - done)
            # A tree that is complete before the first kill counts as one.
            done, number, wrong = done + max(1, some), number + 1, wrong + bool(faults)
            for words in faults[:3]: print(f"✘ --seed {seed + number - 1}: {words}", flush=True)
    verdict.check(f"{done} kills, {number} trees: trees with a file that is wrong, missing or one too many", wrong, 0)
    return verdict.end()


def start_cluster(home, count=3):
    """Servers that copy what they store to each other."""
    routes = [free_port() for _ in range(count)]
    return [NatsServer(home, f"server{number}", "--server_name", f"s{number}", "--cluster_name", "c",
                       "--cluster", f"nats://127.0.0.1:{route}",
                       "--routes", ",".join(f"nats://127.0.0.1:{other}" for other in routes if other != route))
            for number, route in enumerate(routes)]


def cluster(bin):
    """Kills one of three nats-servers while a fleet works, and measures for how long it stands still.

    The entries are in three copies (submit --replicas 3). The server that leads is killed with -9 and started again, and so on, 15 s
    from one kill to the next; each time the longest time without a complete file must be at most 5 s.
    """
    workers, kills, pause = 4, 3, 15.0
    with Home(bin) as home:
        servers, origin = start_cluster(home), home.fault_server()
        program, home.environment["WINCH_FLEET_SERVER"] = str(home.bin / "winch-fleet"), ",".join(server.url for server in servers)
        for server in servers: server.wait()
        (home.folder / "urls.txt").write_text("".join(
            f"{origin}/f/{number}.bin?size=1000&latency=0.05\n" for number in range(int((kills + 2) * pause * 160))))
        # At first the servers have not yet agreed on their leader.
        submit = [program, "submit", "--replicas", "3", "-i", home.folder / "urls.txt"]
        print(until(lambda: subprocess.run(submit, env=home.environment, stdout=subprocess.PIPE, text=True).stdout.strip(),
                    "the cluster to take a list", 60), flush=True)
        folders = [home.folder / f"files{number}" for number in range(workers)]
        for number, folder in enumerate(folders):
            home.start(program, "work", "-d", str(folder), "--name", f"worker{number}", "-j", "4", "--replicas", "3")
        time.sleep(pause / 2)
        killed = []
        for number in range(kills):
            stream = servers[0].ask("$JS.API.STREAM.INFO.winch-default-queue") or {}
            leader = stream.get("cluster", {}).get("leader") or f"s{number % 3}"
            victim = servers[int(leader[1:])]
            victim.kill()
            killed.append((time.time(), leader))
            time.sleep(pause / 2)
            victim.start()
            victim.wait()
            time.sleep(pause / 2)
        ends = sorted(path.stat().st_mtime for folder in folders for path in folder.glob("*.bin"))
        print(f"{workers} workers, {len(ends)} files; {load()}")
        gaps = []
        for (begin, leader), (end, _) in itertools.pairwise(killed + [(time.time(), "")]):
            times = [begin, *[time for time in ends if begin < time < end], end]
            gap = max(later - earlier for earlier, later in itertools.pairwise(times))
            gaps.append(gap)
            print(f"{leader}, which leads the queue, killed: {gap:.1f} s without a complete file, at most")
        if max(gaps) > MOST: sys.exit(f"stood still for {max(gaps):.1f} s")


run_part(__doc__, upload, session, tree, cluster)
