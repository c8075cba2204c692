#!/usr/bin/env python3
"""Cuts the connections of uploads by tus, SFTP, FTP and PUT at random bytes, and compares what arrives with the source.

usage: torture-upload WINCH [--cuts N] [--protocol NAME] [--seed S] [--jobs N] [--verbose]

Between winch and a real server (tuspyserver, OpenSSH, vsftpd, nginx) stands a relay that lets 2 MiB a second through and cuts up
to four times. Wrong: a file at the server that is not the source, a run that fails, more sent again than the overlap of 64 KiB
and a second's worth for each cut, and of a PUT whatever is not taken back to exactly 0. Each round has the seed S + its number.
"""
import argparse, getpass, json, os, random, re, shutil, socket, struct, subprocess, sys, tempfile, threading, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import upload_servers

RATE = 2 << 20
OVERLAP = 64 << 10
SIZES = (1 << 20, 6 << 20)
# Bytes that a client of SFTP sends besides the file.
DIALOGUE = 6000
# Bytes of a connection besides the body: requests and the exchange of keys; SFTP adds 1 % for its packets.
BESIDES = 16 << 10


class Servers:
    """The real servers, those whose protocols are wanted. What arrives is in `got`, of tus in `tus`."""

    def __init__(self, home, protocols):
        self.home, self.ports, self.children = home, {}, []
        (home / "source").mkdir()
        for protocol in protocols:
            child, self.ports[protocol] = getattr(upload_servers, protocol)(home)
            self.children.append(child)

    def stop(self): upload_servers.stop(self.children)

    def arrived(self, protocol, name):
        """The file at the server; `None`: there is none."""
        if protocol != "tus":
            path = self.home / "got" / name
            return path if path.exists() else None
        for info in (self.home / "tus").glob("*.info"):
            text = info.read_text()
            path = info.with_suffix("")
            if f'"{name}"' in text and path.exists() and path.stat().st_size: return path
        return None


class Relay:
    """Stands between one winch and a server, and cuts."""

    def __init__(self, protocol, port, size, chance):
        self.protocol, self.port, self.size, self.chance = protocol, port, size, chance
        self.lock = threading.RLock()
        self.passed = self.connections = self.cuts = 0
        self.left_cuts = chance.randint(1, 4)
        self.open = []
        self.due = time.monotonic()
        self.listener = self.listen(lambda: self.port, protocol != "ftp", protocol == "ftp")
        self.own_port = self.listener.getsockname()[1]
        self.plan()

    def plan(self):
        """The next cut: after so many bytes more. One in eight is at the end of the body."""
        with self.lock:
            due = self.size if self.protocol == "put" else max(1, self.size - self.passed)
            if self.size < DIALOGUE: due = DIALOGUE
            span = due if self.chance.random() < 0.125 and self.protocol != "sftp" else self.chance.randrange(due)
            self.cut_in = span if self.left_cuts > 0 else None

    def listen(self, upstream, counts, is_control=False):
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen(16)
        def accept():
            while True:
                try: client, _ = listener.accept()
                except OSError: return
                try: server = socket.create_connection(("127.0.0.1", upstream()), 5)
                except OSError: client.close(); continue
                pair = (client, server)
                with self.lock:
                    self.connections += 1
                    self.open.append(pair)
                threading.Thread(target=self.pump, args=(pair, client, server, counts, False), daemon=True).start()
                threading.Thread(target=self.pump, args=(pair, server, client, False, is_control), daemon=True).start()
        threading.Thread(target=accept, daemon=True).start()
        return listener

    def pump(self, pair, source, target, counts, is_control):
        try:
            while data := source.recv(32 << 10):
                if is_control and (found := re.search(rb"\(\|\|\|(\d+)\|\)", data)):
                    port = int(found.group(1))
                    data_port = self.listen(lambda: port, True).getsockname()[1]
                    data = data.replace(found.group(0), b"(|||%d|)" % data_port)
                if counts and (data := self.count(data)) is None: return
                target.sendall(data)
                if counts and self.is_due(): return self.cut()
            target.shutdown(socket.SHUT_WR)
        except OSError: pass
        finally:
            with self.lock:
                pair[0].fileno() >= 0 and source is pair[1] and self.shut(pair)

    def count(self, data):
        with self.lock:
            if self.cut_in is not None: data = data[:max(1, self.cut_in)]
            self.passed += len(data)
            if self.cut_in is not None: self.cut_in -= len(data)
            self.due = max(self.due, time.monotonic() - 0.05) + len(data) / RATE
            wait = self.due - time.monotonic()
        if wait > 0: time.sleep(wait)
        return data

    def is_due(self):
        with self.lock: return self.cut_in is not None and self.cut_in <= 0

    def cut(self):
        with self.lock:
            if not self.is_due(): return
            self.cuts += 1
            self.left_cuts -= 1
            resets = self.chance.random() < 0.5
            for pair in self.open:
                for side in pair:
                    if side.fileno() < 0: continue
                    if resets: side.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.shut_one(side)
            self.open = []
            self.plan()

    def shut_one(self, side):
        try: side.shutdown(socket.SHUT_RDWR)
        except OSError: pass
        side.close()

    def shut(self, pair):
        if pair in self.open: self.open.remove(pair)
        for side in pair: self.shut_one(side)

    def close(self):
        self.listener.close()
        with self.lock:
            for pair in list(self.open): self.shut(pair)


def play(seed, protocol, winch, servers):
    """One file, until it has arrived. Returns cuts, bytes sent again, bytes taken back, and what is wrong."""
    chance = random.Random(f"{seed} {protocol}")
    # A small file is cut at the login, or when it is renamed.
    size = 100 if protocol == "sftp" and chance.random() < 0.3 else chance.randint(*SIZES)
    name = f"{protocol}-{seed}"
    source = servers.home / "source" / name
    content = chance.randbytes(size)
    source.write_bytes(content)
    relay = Relay(protocol, servers.ports[protocol], size, chance)
    url = {
        "put": f"http://127.0.0.1:{relay.own_port}/{name}", "tus": f"http://127.0.0.1:{relay.own_port}/files/",
        "ftp": f"ftp://127.0.0.1:{relay.own_port}/got/{name}",
        "sftp": f"sftp://{getpass.getuser()}@127.0.0.1:{relay.own_port}{servers.home}/got/{name}",
    }[protocol]
    command = [winch, "put", str(source), url, "--ephemeral", "--output", "json", "--retry-wait", "0.1", "--max-tries", "20",
               *{"tus": ["--resumable", "tus"], "sftp": ["--insecure"], "ftp": ["--ftp-tls", "off"], "put": []}[protocol]]
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=180)
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        code = run.returncode
    except subprocess.TimeoutExpired:
        lines, code = [], "does not end"
    relay.close()
    faults = []
    if code != 0:
        faults.append(f"exit {code}: " + "; ".join(l.get("reason", "") for l in lines if l.get("event") in ("failed", "retrying")))
    arrived = servers.arrived(protocol, name)
    if arrived is None and code == 0: faults.append("no file at the server")
    if arrived and (protocol != "tus" or code == 0) and arrived.read_bytes() != content:
        faults.append(f"a wrong file at the server: {arrived.stat().st_size} of {size} bytes")
    taken_back = -sum(min(0, l.get("delta", 0)) for l in lines if l.get("id"))
    besides = BESIDES * relay.connections + (relay.passed // 100 if protocol == "sftp" else 0)
    again = max(0, relay.passed - size - besides)
    if protocol == "put": faults += un_sent(lines, size)
    elif again > relay.cuts * (OVERLAP + RATE): faults.append(f"{again} bytes sent again for {relay.cuts} cuts")
    source.unlink()
    if arrived: arrived.unlink()
    return relay.cuts, again, taken_back, faults


def un_sent(lines, size):
    """What is not exact in the figures of a PUT."""
    faults, sent = [], 0
    for line in lines:
        event, before = line.get("event"), sent
        sent += line.get("delta", 0) if line.get("id") and event not in ("added", "failed") else 0
        if "sent" in line and line["sent"] != sent: faults.append(f"{event}: sent {line['sent']}, the changes add up to {sent}")
        if event == "retrying" and line["sent"] != 0: faults.append(f"retrying with {line['sent']} sent")
        if event == "rebase" and line.get("delta") != -before: faults.append(f"{before} sent, {line.get('delta')} taken back")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("winch")
    parser.add_argument("--cuts", type=int, default=1000)
    parser.add_argument("--protocol", choices=("tus", "sftp", "ftp", "put"), action="append")
    parser.add_argument("--seed", type=int, default=random.randint(1, 999_999))
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    winch = os.path.abspath(args.winch)
    protocols = args.protocol or ["tus", "sftp", "ftp", "put"]
    if "tus" in protocols and not upload_servers.TUS.exists():
        print("tuspyserver is missing (setup.sh test installs it): no cuts over tus")
        protocols.remove("tus")
    os.environ["NO_PROXY"] = "127.0.0.1"
    home = Path(tempfile.mkdtemp(prefix="winch-torture."))
    home.chmod(0o755)
    servers, is_right = None, True
    try:
        servers = Servers(home, protocols)
        os.environ["HOME"] = str(home)
        print(f"{'':6}{'rounds':>8}{'cuts':>7}{'wrong':>7}{'KiB again a cut':>17}{'at most':>9}{'KiB taken back a cut':>22}")
        for protocol in protocols:
            share = -(-args.cuts // len(protocols))
            cuts = again = taken_back = wrong = number = worst = 0
            with ThreadPoolExecutor(args.jobs) as pool:
                while cuts < share:
                    # A round has two cuts or so.
                    seeds = range(args.seed + number, args.seed + number + max(1, min(8 * args.jobs, (share - cuts) // 2)))
                    number += len(seeds)
                    for seed, (some, more, back, faults) in zip(
                            seeds, pool.map(lambda s: play(s, protocol, winch, servers), seeds)):
                        cuts, again, taken_back, wrong = cuts + some, again + more, taken_back + back, wrong + bool(faults)
                        worst = max(worst, more / max(1, some))
                        if faults: print(f"✘ {protocol} --seed {seed}: " + "; ".join(faults), flush=True)
                        elif args.verbose: print(f"  {protocol} {seed}: {some} cuts, {more} again, {back} taken back", flush=True)
            is_right = is_right and not wrong
            print(f"{protocol:6}{number:8}{cuts:7}{wrong:7}{again / max(1, cuts) / 1024:17.0f}{worst / 1024:9.0f}"
                  f"{taken_back / max(1, cuts) / 1024:22.0f}", flush=True)
    finally:
        if servers: servers.stop()
        shutil.rmtree(home, ignore_errors=True)
    sys.exit(0 if is_right else 1)


main()
