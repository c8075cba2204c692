#!/usr/bin/env python3
"""Times winch, axel, aria2c and curl on one file of 64 MB from servers that limit what a connection gets.

usage: bench-split WINCH [--runs N] [--case NAME]

Runs are interleaved. Shown: median wall time, its ratio to the least time that the lines allow, bytes served per byte of the
file, requests, and how many of them were refused.
"""
import argparse, hashlib, os, shutil, socket, socketserver, statistics, subprocess, sys, tempfile, threading, time
from pathlib import Path

SIZE = 64 * 1000 * 1000
MB = 1000 * 1000
CASES = {
    # name: how the server behaves, and the least time in seconds
    "even": ({"rates": [4 * MB]}, SIZE / (8 * 4 * MB)),
    "two-slow": ({"rates": [4 * MB, 64e3, 4 * MB, 4 * MB, 4 * MB, 64e3, 4 * MB, 4 * MB]}, SIZE / (6 * 4 * MB + 2 * 64e3)),
    "capped": ({"rates": [1e12], "total": 8 * MB}, SIZE / (8 * MB)),
    "turns-slow": ({"rates": [4 * MB], "slows": (3, 1.0)}, SIZE / (7 * 4 * MB)),
    "refuses": ({"rates": [4 * MB], "most": 3}, SIZE / (3 * 4 * MB)),
    "bans": ({"rates": [4 * MB], "most": 2, "bans": 2.0}, SIZE / (2 * 4 * MB)),
    "once": ({"rates": [16 * MB], "once": True}, SIZE / (16 * MB)),
    "far": ({"rates": [4 * MB], "delay": 0.15}, SIZE / (8 * 4 * MB)),
}
CONTENT = os.urandom(1 << 20)


class Server(socketserver.ThreadingTCPServer):
    """A server whose lines have rates, as in CASES."""
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, rates, total=None, most=None, bans=0.0, once=False, delay=0.0, slows=None):
        super().__init__(("127.0.0.1", 0), Connection)
        self.rates, self.total, self.most, self.bans, self.once, self.delay = rates, total, most, bans, once, delay
        self.slows = slows
        self.lock = threading.Lock()
        self.open = self.served = self.requests = self.refused = self.connections = 0
        self.banned_until = 0.0
        self.begun = time.monotonic()
        self.sent_in_all = 0

    def handle_error(self, request, client_address): pass


class Connection(socketserver.StreamRequestHandler):
    def setup(self):
        super().setup()
        # Little is on the way, so that a slow line is slow for the client as well.
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 << 10)
        with self.server.lock:
            self.number = self.server.connections
            self.server.connections += 1
        self.rate = self.server.rates[self.number % len(self.server.rates)]

    def handle(self):
        while True:
            line = self.rfile.readline()
            if not line: return
            fields = {}
            while (field := self.rfile.readline().strip()):
                name, _, value = field.decode().partition(":")
                fields[name.lower()] = value.strip()
            if not self.answer(line.split()[0] == b"HEAD", fields): return

    def answer(self, is_head, fields):
        server = self.server
        time.sleep(server.delay)
        with server.lock:
            server.requests += 1
            now = time.monotonic()
            is_banned = now < server.banned_until
            is_refused = is_banned or bool(server.most and server.open >= server.most) or server.once and server.requests > 1
            if is_refused:
                server.refused += 1
                if server.bans and not is_banned: server.banned_until = now + server.bans
            else:
                server.open += 1
        if is_refused:
            status = "403 Forbidden" if server.once or server.bans else "429 Too Many Requests"
            self.wfile.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode())
            return True
        try:
            start, end = 0, SIZE
            span = fields.get("range", "")[6:].partition("-") if "range" in fields else None
            if span: start, end = int(span[0] or 0), int(span[2]) + 1 if span[2] else SIZE
            head = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes %d-%d/%d\r\n" % (start, end - 1, SIZE) if span \
                else "HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\n"
            self.wfile.write(f'{head}ETag: "a"\r\nContent-Length: {end - start}\r\n\r\n'.encode())
            if not is_head: self.send(start, end)
            return True
        finally:
            with server.lock: server.open -= 1

    def send(self, position, end):
        server = self.server
        begun, sent = time.monotonic(), 0
        while position < end:
            rate = self.rate
            if server.slows and self.number == server.slows[0] and time.monotonic() - server.begun > server.slows[1]:
                rate = 20e3
            count = int(min(end - position, max(2048, min(rate / 50, 256 << 10)), (1 << 20) - position % (1 << 20)))
            self.wfile.write(CONTENT[position % (1 << 20):][:count])
            position += count
            sent += count
            with server.lock:
                server.served += count
                server.sent_in_all += count
                due = server.begun + server.sent_in_all / server.total if server.total else 0
            if rate != self.rate: begun, sent = time.monotonic(), count
            self.rate = rate
            wait = max(due, begun + sent / rate) - time.monotonic()
            if wait > 0: time.sleep(wait)


def commands(winch, url):
    ours = [winch, url, "-o", "f", "--output", "quiet", "--ephemeral", "--retry-wait", "0.5"]
    return {
        "winch": ours,
        "winch -s8": [*ours, "-s", "8"],
        "axel -n8": ["axel", "-q", "-n", "8", "-o", "f", url],
        "aria2c": ["aria2c", "-q", "-x8", "-s8", "-k1M", "--file-allocation=none", "-o", "f", url],
        "curl": ["curl", "-s", "--fail", "-o", "f", url],
    }


def run(command, behaviour, digest):
    with Server(**behaviour) as server, tempfile.TemporaryDirectory(prefix="winch-split.") as home:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.server_address[1]}/f"
        server.begun = time.monotonic()
        try:
            done = subprocess.run([c.replace("URL", url) for c in command], cwd=home, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, timeout=90).returncode == 0
        except subprocess.TimeoutExpired:
            done = False
        wall = time.monotonic() - server.begun
        file = Path(home, "f")
        is_right = done and file.exists() and hashlib.sha256(file.read_bytes()).digest() == digest
        server.shutdown()
        return wall, server.served / SIZE, server.requests, server.refused, is_right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("winch")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--case", choices=CASES, action="append")
    parser.add_argument("--tool", action="append")
    args = parser.parse_args()
    blocks = CONTENT * (SIZE // len(CONTENT) + 1)
    digest = hashlib.sha256(blocks[:SIZE]).digest()
    print(f"{'case':11}{'tool':11}{'median s':>9}{'x ideal':>8}{'served':>8}{'requests':>9}{'refused':>8}{'right':>7}")
    for case in args.case or CASES:
        behaviour, ideal = CASES[case]
        tools = {t: c for t, c in commands(os.path.abspath(args.winch), "URL").items()
                 if shutil.which(c[0]) and (not args.tool or t in args.tool)}
        results = {t: [] for t in tools}
        for _ in range(args.runs):
            for tool, command in tools.items(): results[tool].append(run(command, behaviour, digest))
        for tool, rows in results.items():
            middle = [statistics.median(r[k] for r in rows) for k in range(4)]
            right = sum(r[4] for r in rows)
            print(f"{case:11}{tool:11}{middle[0]:9.2f}{middle[0] / ideal:8.2f}{middle[1]:8.3f}{middle[2]:9.0f}"
                  f"{middle[3]:8.0f}{right:5}/{len(rows)}", flush=True)


main()
