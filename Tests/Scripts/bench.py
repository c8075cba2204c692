#!/usr/bin/env python3
"""Measures winch and its peers, those of them that are installed, on this machine.

usage: bench.py screen|files|split|upload|folders|session BIN

Runs of programs are interleaved, so that other work of the machine affects all of them alike. Ratios are medians of the ratios
within a run.
"""
import contextlib, filecmp, getpass, hashlib, http.server, itertools, json, math, os, select, shlex, shutil, signal, socket
import subprocess, sys, tempfile, threading, time
from pathlib import Path
from statistics import median

from servers import Home, Table, Verdict, free_port, make_files, memory, processor_seconds, run_part, silent_server

# name: (files, bytes of each, transfers at a time)
FILES = {
    "small": (3000, 4096, 16), "many": (30000, 4096, 16), "eight": (8, 64 << 20, 8), "eight-tls": (8, 64 << 20, 8),
    "single": (1, 512 << 20, 1),
}
UPLOADS = {"small": (3000, 4096, 16), "single": (1, 1 << 30, 1), "eight": (8, 64 << 20, 8), "sftp": (1, 512 << 20, 1)}
# How many folders, of how many files of 4 KiB each.
TREES = {"down": (100, 30), "up": (100, 100)}
SPLIT_SIZE = 64 * 1000 * 1000
MB = 1000 * 1000
# name: how the server behaves, and the least time in seconds
LINES = {
    "even": ({"rates": [4 * MB]}, SPLIT_SIZE / (8 * 4 * MB)),
    "two-slow": ({"rates": [4 * MB, 64e3, 4 * MB, 4 * MB, 4 * MB, 64e3, 4 * MB, 4 * MB]}, SPLIT_SIZE / (6 * 4 * MB + 2 * 64e3)),
    "capped": ({"rates": [1e12], "total": 8 * MB}, SPLIT_SIZE / (8 * MB)),
    "turns-slow": ({"rates": [4 * MB], "slows": (3, 1.0)}, SPLIT_SIZE / (7 * 4 * MB)),
    "refuses": ({"rates": [4 * MB], "most": 3}, SPLIT_SIZE / (3 * 4 * MB)),
    "bans": ({"rates": [4 * MB], "most": 2, "bans": 2.0}, SPLIT_SIZE / (2 * 4 * MB)),
    "once": ({"rates": [16 * MB], "once": True}, SPLIT_SIZE / (16 * MB)),
    "far": ({"rates": [4 * MB], "delay": 0.15}, SPLIT_SIZE / (8 * 4 * MB)),
}
CONTENT = os.urandom(1 << 20)
# What is done to all rows at once: its name, its key, and what shows that it is done.
ACTS = [("tag all", b"*", b"Tag"), ("pause all that are tagged", b"p", b"paused"), ("resume all that are tagged", b"p", b"resumed"),
        ("untag all", b"U", b"Unt"), ("sort by name", b">", b"Name"), ("sort as queued", b"<", b"Name")]
ROWS = 10_000


def percentile(values, share): return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def interleaved(names, runs, measure):
    """The results of `measure` for each name. Each name is first in turn: the first run after other work may take longer."""
    names, results = list(names), {name: [] for name in names}
    for run in range(runs if names else 0):
        first = run % len(names)
        for name in names[first:] + names[:first]: results[name].append(measure(name))
    return results


def ratio(rows, others, column=0):
    """The median of the ratios of runs that both did without failure; `None`: there are none."""
    pairs = [a[column] / max(b[column], 0.001) for a, b in zip(rows, others) if a and b]
    return median(pairs) if pairs else None


def timed(home, command, target, is_whole, is_again=False):
    """Wall, user and system seconds and peak MiB of a command that fills the folder `target`; `None`: it failed.

    Each run is the first of its batch, unless it comes again to what there is.
    """
    for path in () if is_again else (target, home.folder / "state"): shutil.rmtree(path, ignore_errors=True)
    target.mkdir(exist_ok=True)
    os.sync()
    begun = time.monotonic()
    pid = os.posix_spawn(shutil.which(command[0]), command, home.environment, file_actions=[
        (os.POSIX_SPAWN_OPEN, number, "/dev/null", os.O_WRONLY, 0) for number in (1, 2)])
    _, status, used = os.wait4(pid, 0)
    wall = time.monotonic() - begun
    if not status and is_whole(): return wall, used.ru_utime, used.ru_stime, used.ru_maxrss / 1024
    print(f"  {command[0]}: status {status}, {len(os.listdir(target))} files, or a wrong one", file=sys.stderr)


def compare(home, cases, runs, folder, target, commands, is_equal):
    """Times commands that copy the files of a case from its folder in `folder` to `target`, and prints a table.

    `commands` gives those of a case by the names of tools; `is_equal` compares a copy with its source.
    """
    def is_whole(source):
        names = os.listdir(target)
        return set(names) == set(os.listdir(source)) and all(is_equal(source / name, target / name) for name in names)

    table = Table(("case", "10"), ("tool", "8"), ("median s", ">10.3f"), ("x curl", ">8.2f"), ("x sftp", ">8.2f"), ("user s", ">8.2f"),
                  ("x curl", ">8.2f"), ("sys s", ">8.2f"), ("peak MiB", ">10.1f"))
    for case, (count, size, _) in cases.items():
        make_files(folder / case, count, size)
        tools = {tool: command for tool, command in commands(case).items() if shutil.which(command[0])}
        results = interleaved(tools, runs, lambda tool: timed(home, tools[tool], target, lambda: is_whole(folder / case)))
        shutil.rmtree(folder / case)
        curl, sftp = results.get("curl", []), results.get("sftp", [])
        for tool, rows in results.items():
            if not (right := [row for row in rows if row]): continue
            wall, user, system, _ = map(median, zip(*right))
            table.row(case, tool, wall, ratio(rows, curl), ratio(rows, sftp), user, ratio(rows, curl, 1), system,
                      max(row[3] for row in right))
        if cost := ratio(results["winch"], results["without"]): print(f"{case:10}the ledger costs {100 * (cost - 1):+.1f}%")


def with_winch(home, jobs, arguments, tools):
    """The commands of winch besides those of other tools."""
    command = [home.winch, "--output", "quiet", "--per-host", str(jobs), "-j", str(jobs), *arguments]
    return {"winch": [*command, "--state-dir", "state"], "without": [*command, "--ephemeral"]} | tools


def files(bin):
    """Times winch, aria2c, curl -Z and wget2 on the same files from nginx.

    winch finishes durably (fsync before the rename); the others do not. "without" is winch with --ephemeral: what the ledger costs.
    """
    with Home(bin) as home, contextlib.chdir(home.folder):
        subprocess.run("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 "
                       "-keyout server.key -out server.pem".split(), check=True, stderr=subprocess.DEVNULL)
        tls = free_port()
        port = home.put(f"sendfile on; server {{ listen 127.0.0.1:{tls} ssl; root {home.got}; "
                        f"ssl_certificate {home.folder}/server.pem; ssl_certificate_key {home.folder}/server.key; }}")

        def commands(name):
            count, _, jobs = FILES[name]
            is_tls, urls_file = name.endswith("-tls"), f"{name}.urls"
            urls = [f"{f'https://127.0.0.1:{tls}' if is_tls else f'http://127.0.0.1:{port}'}/{name}/{i}" for i in range(count)]
            Path(urls_file).write_text("".join(url + "\n" for url in urls))
            Path(f"{name}.curl").write_text("".join(f'url = "{url}"\noutput = "out/{i}"\n' for i, url in enumerate(urls)))
            tools = with_winch(home, jobs, ["-d", "out", "-i", urls_file], {
                "curl": ["curl", "-s", *(["-Z", "--parallel-max", str(jobs)] if count > 1 else []), "-K", f"{name}.curl"],
                "aria2c": ["aria2c", "-q", "--file-allocation=none", "-j", str(jobs), "-d", "out", "-i", urls_file],
                "wget2": ["wget2", "-q", "--max-threads", str(jobs), "-P", "out", "-i", urls_file],
            })
            for peer, command in tools.items() if is_tls else ():
                command[1:1] = ["--ca-certificate" if peer in ("aria2c", "wget2") else "--cacert", "server.pem"]
            return tools

        compare(home, FILES, 7, home.got, home.folder / "out", commands,
                lambda source, copy: source.stat().st_size == copy.stat().st_size)


def upload(bin):
    """Times uploads of winch, curl to nginx (PUT), and curl and sftp to OpenSSH's server.

    What has arrived is compared with the source. "without" is winch with --ephemeral: what the ledger costs.
    """
    with Home(bin) as home, contextlib.chdir(home.folder):
        web, ssh, user = home.put(), home.sftp(), getpass.getuser()

        def commands(name):
            count, _, jobs = UPLOADS[name]
            origin = f"sftp://{user}@127.0.0.1:{ssh}{home.got}" if name == "sftp" else f"http://127.0.0.1:{web}"
            pairs = [(f"{name}/{i}", f"{origin}/{i}") for i in range(count)]
            Path(f"{name}.urls").write_text("".join(f"{url}\n  upload={file}\n" for file, url in pairs))
            Path(f"{name}.curl").write_text("".join(f'upload-file = "{file}"\nurl = "{url}"\n' for file, url in pairs))
            parallel = ["-Z", "--parallel-max", str(jobs)] if count > 1 else []
            tools = {"curl": ["curl", "-s", "--fail", *parallel, "-K", f"{name}.curl"]}
            if name == "sftp":
                tools["curl"] += ["--key", ".ssh/id_rsa", "--pubkey", ".ssh/id_rsa.pub"]
                Path("puts").write_text("".join(f"put {file} got/{Path(file).name}\n" for file, _ in pairs))
                # ssh takes the folder of keys from the user database, not from HOME.
                tools["sftp"] = ["sftp", "-q", "-b", "puts", "-P", str(ssh), "-i", ".ssh/id_rsa",
                                 "-o", "UserKnownHostsFile=.ssh/known_hosts", f"{user}@127.0.0.1:{home.folder}"]
            return with_winch(home, jobs, ["-i", f"{name}.urls"], tools)

        def is_equal(source, copy):
            filecmp.clear_cache()
            return filecmp.cmp(source, copy, shallow=False)

        compare(home, UPLOADS, 5, home.folder, home.got, commands, is_equal)


def folders(bin):
    """Times winch and its peers on whole folders of small files, and measures a tree of a million files.

    Downloads from nginx and OpenSSH's server, beside wget2, lftp and rclone; the same command again, which has nothing to do, beside
    the listing alone; uploads to nginx, beside a list of the same files. Then, of a tree of a million files: the time to the first
    file, that until all is listed, and the bytes of a waiting row. "winch x" is the time of winch as a multiple of the tool's.
    """
    with Home(bin) as home, contextlib.chdir(home.folder):
        for name, (count, files) in TREES.items():
            parent = home.got if name == "down" else home.folder
            for number in range(count): make_files(parent / name / f"folder{number}", files, 4096)
        table = Table(("case", "12"), ("tool", "9"), ("median s", ">10.3f"), ("winch x", ">9.2f"), ("user s", ">8.2f"), ("sys s", ">8.2f"),
                      ("peak MiB", ">10.1f"))
        web = f"http://127.0.0.1:{home.put('autoindex on;')}/"
        folder_downloads(home, table, web)
        folder_uploads(home, table, web)
        million(home)


def compare_folders(home, table, case, tools, target, pair, is_again=False):
    """`pair`: the source and its copy."""
    def is_whole():
        source, copy = pair
        # Copies of two tools may have the same size and time.
        filecmp.clear_cache()
        files = [path.relative_to(source) for path in source.rglob("*") if path.is_file()]
        return all((copy / path).is_file() and filecmp.cmp(source / path, copy / path, shallow=False) for path in files)

    tools = {tool: command for tool, command in tools.items() if shutil.which(command[0])}
    results = interleaved(tools, 5, lambda tool: timed(home, tools[tool], target, is_whole, is_again))
    for tool, rows in results.items():
        if not (right := [row for row in rows if row]): continue
        wall, user, system, _ = map(median, zip(*right))
        table.row(case, tool, wall, ratio(results["winch"], rows), user, system, max(row[3] for row in right))


def folder_downloads(home, table, web):
    out, source, keys, user, ssh = home.folder / "out", home.got / "down", home.folder / ".ssh", getpass.getuser(), home.sftp()
    program = f"ssh -a -x -i {keys}/id_rsa -o UserKnownHostsFile={keys}/known_hosts"
    # Else rclone starts a program on the server for each file's hash, which the others do not check.
    far = ["--sftp-disable-hashcheck", "--sftp-host", "127.0.0.1", "--sftp-port", str(ssh), "--sftp-user", user,
           "--sftp-key-file", f"{keys}/id_rsa"]
    copy = ["rclone", "copy", "--transfers", "16", "--checkers", "16"]
    cases = {"http": (f"{web}down/", {
        "wget2": ["wget2", "-q", "-r", "-np", "-nH", "--max-threads", "16", "-P", "out", f"{web}down/"],
        "lftp": ["lftp", "-c", f"mirror --parallel=16 {web}down/ out/down"],
        "rclone": [*copy, "--http-url", web, ":http:down", "out/down"],
    }), "sftp": (f"sftp://{user}@127.0.0.1:{ssh}{source}/", {
        # With a password lftp asks for none.
        "lftp": ["lftp", "-c", f'set sftp:connect-program "{program}"; '
                               f"mirror --parallel=16 sftp://{user}:none@127.0.0.1:{ssh}{source}/ out/down"],
        "rclone": [*copy, *far, f":sftp:{source}", "out/down"],
    })}
    for case, (url, peers) in cases.items():
        winch = [home.winch, "-r", url, "-d", "out", "--output", "quiet", "-j", "16", "--per-host", "16"]
        compare_folders(home, table, case, {"winch": winch} | peers, out, (source, out / "down"))
        timed(home, winch, out, lambda: True)
        compare_folders(home, table, f"{case} again", {"winch": winch, "listing": [home.winch, "check", *winch[1:]]}, out,
                        (source, out / "down"), is_again=True)


def folder_uploads(home, table, web):
    target, source = home.got / "to", home.folder / "up"
    paths = [path.relative_to(home.folder) for path in source.rglob("*") if path.is_file()]
    Path("up.urls").write_text("".join(f"{web}to/{path}\n  upload={path}\n" for path in paths))
    own = ["--output", "quiet", "-j", "16", "--per-host", "16"]
    compare_folders(home, table, "upload", {"winch": [home.winch, "put", "-r", "up", f"{web}to/", *own],
                                            "list": [home.winch, "-i", "up.urls", *own]}, target, (source, target / "up"))


def million(home):
    """Where rows are counted each file takes a second, so that nearly all wait, and listings get a place as files end."""
    origin, target = home.fault_server(), home.folder / "million"
    slow = "form=nginx-json,only=files,latency=1"

    @contextlib.contextmanager
    def started(options):
        for path in (target, home.folder / "state"): shutil.rmtree(path, ignore_errors=True)
        command = [home.winch, "-r", f"{origin}/tree/{options}/pub/", "-d", str(target), "--output", "json", "-j", "16", "--per-host", "16"]
        with subprocess.Popen(command, env=home.environment, stdout=subprocess.PIPE) as process:
            begun = time.monotonic()
            try: yield process, lambda: time.monotonic() - begun
            finally: process.kill()

    def first_file(_):
        with started("form=nginx-json,files=10000,folders=99") as (process, taken):
            for line in process.stdout:
                if b'"outcome":"saved"' in line: return taken()

    def listed(options):
        with started(options) as (process, taken):
            for line in process.stdout:
                if b'"event":"queue"' not in line: continue
                if taken() > 900: break
                figures = json.loads(line)
                if figures["listings"]["done"] and not figures["listings"]["open"]:
                    return figures["count"], taken(), memory(process.pid), memory(process.pid, "VmHWM")
        sys.exit("the tree is not listed")

    print(f"\na million files: the first after {median(map(first_file, range(5))) * 1000:.0f} ms, median of 5", flush=True)
    few, _, base, _ = listed(f"{slow},files=20,folders=0")
    count, seconds, held, peak = listed(f"{slow},files=10000,folders=99")
    print(f"{'':6}{count:,} rows listed after {seconds:.1f} s, {held:.0f} MiB held, {peak / held:.2f} of it at most, "
          f"{(held - base) * (1 << 20) / (count - few):.0f} bytes a row")


class LimitedServer(http.server.ThreadingHTTPServer):
    """A server whose connections have rates, as in LINES."""
    request_queue_size = 64

    def __init__(self, rates, total=math.inf, most=math.inf, bans=0.0, once=False, delay=0.0, slows=(None, 0)):
        super().__init__(("127.0.0.1", 0), Connection)
        self.rates, self.total, self.most, self.bans, self.once, self.delay, self.slows = rates, total, most, bans, once, delay, slows
        self.lock, self.numbers = threading.Lock(), itertools.count()
        self.open = self.served = self.requests = self.refused = 0
        self.banned_until, self.begun = 0.0, time.monotonic()

    def handle_error(self, request, client_address): pass


class Connection(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        # Little is on the way, so that a slow connection is slow for the client as well.
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 << 10)
        with self.server.lock: self.number = next(self.server.numbers)

    def log_message(self, *_): pass

    def head(self, status, length, **fields):
        self.send_response(status)
        for name, value in ({"Content-Length": length} | fields).items(): self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def do_GET(self):
        server = self.server
        time.sleep(server.delay)
        with server.lock:
            server.requests += 1
            now = time.monotonic()
            is_banned = now < server.banned_until
            is_refused = is_banned or server.open >= server.most or server.once and server.requests > 1
            server.refused += is_refused
            server.open += not is_refused
            if is_refused and not is_banned: server.banned_until = now + server.bans
        if is_refused: return self.head(403 if server.once or server.bans else 429, 0)
        try:
            first, _, last = self.headers.get("range", "bytes=0-")[6:].partition("-")
            start, end = int(first or 0), int(last or SPLIT_SIZE - 1) + 1
            partial = {"Content_Range": f"bytes {start}-{end - 1}/{SPLIT_SIZE}"} if "range" in self.headers else {"Accept_Ranges": "bytes"}
            self.head(206 if "range" in self.headers else 200, end - start, ETag='"a"', **partial)
            if self.command == "GET": self.send(start, end)
        finally:
            with server.lock: server.open -= 1

    do_HEAD = do_GET

    def send(self, position, end):
        server, rate = self.server, self.server.rates[self.number % len(self.server.rates)]
        slow, after = server.slows
        begun, sent = time.monotonic(), 0
        while position < end:
            if self.number == slow and rate > 20e3 and time.monotonic() - server.begun > after:
                rate, begun, sent = 20e3, time.monotonic(), 0
            count = int(min(end - position, max(2048, min(rate / 50, 256 << 10)), (1 << 20) - position % (1 << 20)))
            self.wfile.write(CONTENT[position % (1 << 20):][:count])
            position, sent = position + count, sent + count
            with server.lock:
                server.served += count
                due = server.begun + server.served / server.total
            time.sleep(max(0, due - time.monotonic(), begun + sent / rate - time.monotonic()))


def split(bin):
    """Times winch, axel, aria2c and curl on one file of 64 MB from servers that limit what a connection gets.

    Shown: median wall time, its ratio to the least time that the connections allow, bytes served per byte of the file, requests, how
    many of them were refused, and in how many runs the file was right.
    """
    digest = hashlib.sha256((CONTENT * (SPLIT_SIZE // len(CONTENT) + 1))[:SPLIT_SIZE]).digest()

    def measure(command, behaviour):
        with LimitedServer(**behaviour) as server, tempfile.TemporaryDirectory(prefix="winch-split.") as home:
            threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
            url = f"http://127.0.0.1:{server.server_address[1]}/f"
            server.begun = time.monotonic()
            is_done = not subprocess.run(["timeout", "90", *command, url], cwd=home, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL).returncode
            wall = time.monotonic() - server.begun
            file = Path(home, "f")
            is_right = is_done and file.exists() and hashlib.sha256(file.read_bytes()).digest() == digest
            server.shutdown()
            return wall, server.served / SPLIT_SIZE, server.requests, server.refused, is_right

    winch = f"{shlex.quote(str(bin))}/winch -o f --output quiet --ephemeral --retry-wait 0.5"
    commands = {"winch": winch, "winch -s8": f"{winch} -s 8", "axel -n8": "axel -q -n 8 -o f",
                "aria2c": "aria2c -q -x8 -s8 -k1M --file-allocation=none -o f", "curl": "curl -s --fail -o f"}
    tools = {name: shlex.split(command) for name, command in commands.items() if shutil.which(shlex.split(command)[0])}
    table = Table(("case", "11"), ("tool", "11"), ("median s", ">9.2f"), ("x ideal", ">8.2f"), ("served", ">8.3f"), ("requests", ">9.0f"),
                  ("refused", ">8.0f"), ("right", ">7"))
    for name, (behaviour, ideal) in LINES.items():
        for own, rows in interleaved(tools, 3, lambda own: measure(tools[own], behaviour)).items():
            wall, served, requests, refused, _ = map(median, zip(*rows))
            table.row(name, own, wall, wall / ideal, served, requests, refused, f"{sum(row[4] for row in rows)}/{len(rows)}")


def screen(bin):
    """Measures what the dashboard costs a terminal and a processor, beside htop and btop; and how soon it answers.

    First comes the cost of a row's figures. Then everything runs in a pseudo-terminal of 120x40 whose output is read at once. Shown:
    bytes a second to the terminal, share of one core (for winch with the cost of the transfers in it), time from a key to the first
    byte that shows it, start, memory. The start is the time from exec to the first row, for lists of up to a million lines on a server
    that does not answer.
    """
    subprocess.run([bin / "winch-replay"], check=True)
    with Home(bin) as home:
        origin, winch = home.fault_server(), [home.winch, "-d", str(home.got)]
        table = Table(("", "34"), ("bytes/s", ">10.0f"), ("% of a core", ">14.1f"))
        terminal = home.screen([*winch, "-j", "5", *[f"{origin}/f/{i}?size=4G&rate=1M" for i in range(5)]])
        terminal.wait("↓".encode())
        terminal.read(3)
        table.row("winch, 5 transfers at 1 MiB/s", *terminal.watch(10))
        terminal.press(b"P")
        terminal.read(3)
        table.row("winch, everything paused", *terminal.watch(10))
        terminal.close()
        shutil.rmtree(home.got, ignore_errors=True)
        for peer in filter(shutil.which, ("htop", "btop")):
            terminal = home.screen([peer])
            terminal.read(3)
            table.row(f"{peer}, as it comes", *terminal.watch(10))
            terminal.close()
        starts(home, winch)
        for count in (10_000, 100_000): reactions(home, winch, origin, count)


def starts(home, winch):
    """Time to the first row, memory held when the list is read, its peak, and the bytes of a waiting row."""
    (silent, origin), base = silent_server(), None
    print()
    table = Table(("lines", ">10,"), ("first row ms", ">14.0f"), ("held MiB", ">10.1f"), ("peak/held", ">11.2f"), ("bytes a row", ">13.0f"))
    batch = home.folder / "start.urls"
    for count, runs, settled in ((1, 5, 4), (10, 9, 4), (10_000, 5, 6), (100_000, 3, 12), (1_000_000, 1, 60)):
        batch.write_text("".join(f"{origin}/data/set/f{i}.bin\n" for i in range(count)))
        taken = []
        for run in range(runs):
            shutil.rmtree(home.state, ignore_errors=True)  # each start is the first
            terminal = home.screen([*winch, "-j", "2", "-i", str(batch)])
            terminal.wait(b"f0.bin")
            taken.append(time.monotonic() - terminal.started)
            if run == runs - 1:
                terminal.read(settled)
                held, peak = memory(terminal.pid), memory(terminal.pid, "VmHWM")
            terminal.close()
        base = base or held
        table.row(count, median(taken) * 1000, held, peak / held, (held - base) * (1 << 20) / count if count >= 100_000 else None)
    silent.close()


def reactions(home, winch, origin, count):
    """Times from keys to what shows them, in a list with many rows."""
    batch = home.folder / f"{count}.urls"
    batch.write_text("".join(f"{origin}/f/f{i}?size=8G\n out=f{i}\n" for i in range(count)))
    terminal = home.screen([*winch, "-j", "16", "--per-host", "16", "-i", str(batch)])
    start = terminal.wait(b"f1")
    terminal.read(2)
    waits = []
    for _ in range(150):
        terminal.press(b"?")
        waits.append(terminal.wait(b"suspend") * 1000)
        terminal.press(b"\x1b")
        terminal.read(0.15)
    print(f"\n{count:,} rows, 16 at full speed: first rows {start * 1000:.0f} ms after exec, key to screen median {median(waits):.1f} ms, "
          f"p99 {percentile(waits, 0.99):.1f} ms, peak memory {memory(terminal.pid, 'VmHWM'):.0f} MiB", flush=True)
    # The marker of the selected row is written only when it moves.
    waits = [terminal.time_key(b"j" if number % 30 < 15 else b"k", "▸".encode()) for number in range(400)]
    print(f"{'':6}{'move the selection':28} " + ", ".join(f"p{share} {percentile(waits, share / 100):5.1f} ms" for share in (50, 90, 99)))
    waits = {name: [] for name, _, _ in ACTS}
    for _ in range(5):
        for name, key, shown in ACTS:
            terminal.press(key)
            waits[name].append(terminal.wait(shown) * 1000)
            terminal.read(2.5)
    for name, taken in waits.items(): print(f"{'':6}{name:28} median {median(taken):5.1f} ms, longest {max(taken):5.1f} ms")
    print(f"{'':6}{'memory held':28} {memory(terminal.pid):12.0f} MiB", flush=True)
    terminal.close()
    shutil.rmtree(home.got, ignore_errors=True)


def session(bin):
    """Measures sessions: how soon they start and show themselves, how soon keys have an effect, and what clients cost.

    Dashboards run in pseudo-terminals whose output is read at once. A key is `p`:
    the time is that to the first bytes with its effect on the row, which comes from the session. How much a client slows a transfer
    is the median of ratios of times, each from the request to the moment at which the session has the file complete. Fails when a
    figure is above its limit.
    """
    runs, verdict = 9, Verdict()
    with Home(bin) as home:
        silent, nowhere = silent_server()
        origin = home.fault_server()
        (home.folder / "rows").write_text("".join(f"{nowhere}/f{i}.bin\n" for i in range(ROWS)))
        for name, arguments in (("empty", []), (f"{ROWS:,} rows", ["-i", "rows"])):
            def serve(run):
                begun = time.monotonic()
                home.run("serve", "-j", "1", "--session", f"start{run}", *arguments)
                return time.monotonic() - begun, home.run("stop", "--session", f"start{run}")
            verdict.check(f"serve, {name}: back in the shell, median of {runs}", median(serve(run)[0] for run in range(runs)) * 1000, 300, "ms")
        waiting = "".join(f"{nowhere}/f{i}.bin\n" for i in range(ROWS - 1))
        (home.folder / "list").write_text(f"{origin}/f/moves?size=8G&rate=1M\n{waiting}")
        home.run("serve", "-j", "1", "--progress", "simple", "-i", "list")
        def first_frame(_):
            terminal = home.attach()
            terminal.wait(b"f0.bin")
            taken = time.monotonic() - terminal.started
            terminal.close()
            return taken
        taken = median(map(first_frame, range(runs))) * 1000
        verdict.check(f"attach, {ROWS:,} rows: first frame after exec, median of {runs}", taken, 150, "ms")
        keys_to_cells(home, verdict, 300)
        traffic(home, verdict)
        home.run("stop")
        home.use_state("slow")
        slowness(home, verdict, runs, 1024)
        silent.close()
    return verdict.end()


def keys_to_cells(home, verdict, count):
    """Times from `p` to its effect on the selected row, which is paused and waits in turns."""
    for name, host, limit in (("the socket", [], 10), ("ssh on loopback", this_machine_by_ssh(home), 25)):
        terminal = home.attach(*host)
        terminal.wait(b"f0.bin")
        terminal.read(1)
        terminal.press(b"jjjjj")
        terminal.read(0.5)
        taken = [terminal.time_key(b"p", b"paused" if i % 2 == 0 else b"waiting") for i in range(count)]
        terminal.close()
        print(f"      through {name}: median {median(taken):.1f} ms, p90 {percentile(taken, 0.9):.1f} ms")
        verdict.check(f"key to cell through {name}, one of {ROWS:,} moves, p99 of {count}", percentile(taken, 0.99), limit, "ms")


def this_machine_by_ssh(home):
    """What `attach` needs for this machine as HOST."""
    port, keys, folder = home.sftp(), home.folder / ".ssh", home.folder / "bin"
    options = (f"-p {port} -i {keys}/id_rsa -o UserKnownHostsFile={keys}/known_hosts -o PubkeyAcceptedAlgorithms=+ssh-rsa "
               "-o IdentitiesOnly=yes")
    variables = " ".join(f"{name}={home.environment[name]}" for name in ("HOME", "XDG_STATE_HOME", "LANG"))
    folder.mkdir()
    for name, command in (("ssh", f"/usr/bin/ssh {options}"), ("far", f"env {variables} {home.winch}")):
        (folder / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        (folder / name).chmod(0o755)
    home.environment["PATH"] = f"{folder}:{os.environ['PATH']}"
    return ["127.0.0.1", "--remote-command", str(folder / "far")]


def received(link, seconds):
    """Bytes that come in a time."""
    end, count = time.monotonic() + seconds, 0
    while (left := end - time.monotonic()) > 0:
        if select.select([link], [], [], left)[0]: count += len(link.recv(1 << 16))
    return count


def switches(pid):
    """How often each thread of a process has slept."""
    threads = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        try: threads[task.name] = int((task / "status").read_text().split("\nvoluntary_ctxt_switches:")[1].split()[0])
        except OSError: pass
    return threads


def traffic(home, verdict):
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(home.socket))
        link.sendall(b'{"hello":1,"client":"bench"}\n{"n":1,"do":"follow"}\n')
        # Until the whole state has come.
        while select.select([link], [], [], 1.5)[0] and received(link, 0.2) > 8192: pass
        span = 10
        verdict.check(f"one of {ROWS:,} rows moves: bytes on the socket", received(link, span) / span / 1000, 10, "kB/s")
        home.run("pause", "--all")
        pid = home.pid
        # The threads that paused the rows end 5 s after their last work.
        received(link, 8)
        before = switches(pid)
        verdict.check("nothing moves: bytes on the socket", received(link, span), 0, "B")
        slept = sum(count - before.get(thread, 0) for thread, count in switches(pid).items())
        verdict.check("nothing moves: wake-ups of the session's threads", slept / span, 1, "1/s")


def download(home, url):
    """Seconds and processor seconds of the session for a file, by what the session says. It is checked and removed."""
    name = f"big{time.monotonic_ns()}"
    link, used, begun = home.session(), processor_seconds(home.pid), time.monotonic()
    link.request("add", batch=f"{url}\n  out={name}\n  split=1", folder=str(home.folder))
    link.request("follow")
    row = lambda: next((row for row in link.rows.values() if row["name"] == name), {"state": "waiting"})
    for _ in link.incoming():
        if row()["state"] not in ("waiting", "connecting", "requested", "moving", "verifying"): break
    taken, used = time.monotonic() - begun, processor_seconds(home.pid) - used
    if row()["state"] != "finished": sys.exit(f"the download ends as {row()}")
    link.request("remove", ids=[row()["id"]])
    link.link.close()
    (home.folder / name).unlink()
    return taken, used


@contextlib.contextmanager
def drained(terminals):
    """Reads what dashboards draw, in a thread, and closes them at the end."""
    is_over = threading.Event()
    def run():
        while not is_over.is_set():
            for file in select.select([terminal.master for terminal in terminals], [], [], 0.1)[0]: os.read(file, 1 << 20)
    thread = threading.Thread(target=run)
    thread.start()
    try: yield
    finally:
        is_over.set()
        thread.join()
        for terminal in terminals: terminal.close()


def slowness(home, verdict, runs, mebibytes):
    make_files(home.got / "big", 1, mebibytes << 20)
    url = f"http://127.0.0.1:{home.put()}/big/0"
    home.run("serve", "-d", str(home.folder))
    held = memory(home.pid)

    def measure(case):
        terminals = [home.attach() for _ in range({"alone": 0, "five clients": 5, "a stopped client": 1}[case])]
        for terminal in terminals: terminal.read(0.5)
        if case == "a stopped client": os.kill(terminals[0].pid, signal.SIGSTOP)
        with drained(terminals): return download(home, url)

    results = interleaved(("alone", "five clients", "a stopped client"), runs + 1, measure)
    # The first of each brings the file into memory.
    alone, *others = [(name, rows[1:]) for name, rows in results.items()]
    for name, rows in others:
        print(f"      {name}: processor time of the session x {ratio(rows, alone[1], 1):.2f}")
        verdict.check(f"{mebibytes} MiB with {name}: time beside that without, median of {runs}", ratio(rows, alone[1]), 1.02, "x")
    times = [row[0] for row in alone[1]]
    print(f"      without clients: {median(times):.2f} s, from {min(times):.2f} to {max(times):.2f}")
    stopped = home.attach()
    stopped.read(1)
    os.kill(stopped.pid, signal.SIGSTOP)
    for _ in range(3): download(home, url)
    verdict.check("memory that the session holds more, clients and a stopped one", memory(home.pid) - held, 16, "MiB")
    stopped.close()
    home.run("stop")


run_part(__doc__, screen, files, split, upload, folders, session)
