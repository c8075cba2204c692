#!/usr/bin/env python3
"""Measures what nats-server spends on an entry: CPU, memory and disk, for the constants of winch-fleet-simulator.

Starts a nats-server with JetStream on loopback, stores entries in a work queue, with and without a window of duplicates, and has them
handed out and acknowledged.

usage: measure-jetstream.py [ENTRIES]
"""
import hashlib, json, os, socket, subprocess, sys, tempfile, time

WINDOW = 4000
"""Entries on the way without an answer of the server."""


class Server:
    def __init__(self, folder):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.folder = folder
        self.process = subprocess.Popen(
            ["nats-server", "-js", "-sd", folder, "-a", "127.0.0.1", "-p", str(port)], stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                self.socket = socket.create_connection(("127.0.0.1", port))
                break
            except OSError:
                time.sleep(0.05)
        else:
            sys.exit("nats-server does not answer")
        self.input = self.socket.makefile("rb", 1 << 20)
        self.input.readline()
        self.send(b'CONNECT {"verbose":false,"headers":true,"pedantic":false}\r\nSUB in.> 1\r\n')

    def send(self, data):
        self.socket.sendall(data)

    def message(self):
        while True:
            line = self.input.readline()
            if line.startswith(b"PING"):
                self.send(b"PONG\r\n")
            elif line.startswith((b"MSG", b"HMSG")):
                words = line.split()
                return words, self.input.read(int(words[-1]) + 2)[:-2]
            elif line.startswith(b"-ERR") or not line:
                sys.exit(f"nats-server: {line}")

    def request(self, subject, value):
        body = json.dumps(value).encode()
        self.send(b"PUB %s in.q %d\r\n%s\r\n" % (subject.encode(), len(body), body))
        answer = json.loads(self.message()[1])
        if "error" in answer:
            sys.exit(f"{subject}: {answer['error']}")

    def memory(self):
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            words = file.read().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def disk(self):
        return sum(os.path.getsize(os.path.join(folder, name))
                   for folder, _, names in os.walk(self.folder) for name in names)


def entry(number, has_identity):
    identity = hashlib.blake2b(str(number).encode(), digest_size=16).hexdigest().encode()
    head = b"NATS/1.0\r\n" + (b"Nats-Msg-Id: %s\r\n" % identity if has_identity else b"") + b"Winch-Format: 1\r\n\r\n"
    body = b"https://files.example.org/archive/2024/part-%012d.tar.gz\n out=2024/part-%012d.tar.gz\n" % (number, number)
    return b"HPUB q.x in.a %d %d\r\n%s%s\r\n" % (len(head), len(head) + len(body), head, body)


def measure(count, has_identity):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            server.request("$JS.API.STREAM.CREATE.q", {
                "name": "q", "subjects": ["q.x"], "retention": "workqueue", "storage": "file", "num_replicas": 1,
                "duplicate_window": 24 * 3600 * 10**9 if has_identity else 10**8})
            memory, cpu, start, waiting = server.memory(), server.cpu(), time.monotonic(), 0
            for first in range(0, count, 500):
                server.send(b"".join(entry(number, has_identity) for number in range(first, min(count, first + 500))))
                waiting += min(500, count - first)
                while waiting > WINDOW:
                    server.message()
                    waiting -= 1
            for _ in range(waiting):
                server.message()
            print(f"{'with' if has_identity else 'without'} identities: stored {count / (time.monotonic() - start):,.0f} a second, "
                  f"CPU {1e6 * (server.cpu() - cpu) / count:.1f} us, memory {(server.memory() - memory) / count:.0f} B, "
                  f"disk {server.disk() / count:.0f} B each")
            server.request("$JS.API.CONSUMER.DURABLE.CREATE.q.w", {"stream_name": "q", "config": {
                "durable_name": "w", "ack_policy": "explicit", "ack_wait": 20 * 10**9, "max_ack_pending": 1_000_000,
                "deliver_policy": "all", "replay_policy": "instant"}})
            cpu, start, acks = server.cpu(), time.monotonic(), []
            for got in range(count):
                if got % 250 == 0:
                    server.send(b"".join(b"PUB %s 0\r\n\r\n" % ack for ack in acks)
                                + b'PUB $JS.API.CONSUMER.MSG.NEXT.q.w in.b 13\r\n{"batch":250}\r\n')
                    acks = []
                words, _ = server.message()
                acks.append(words[3])
            server.send(b"".join(b"PUB %s 0\r\n\r\n" % ack for ack in acks))
            span = time.monotonic() - start
            time.sleep(1)
            print(f"    handed out and acknowledged {count / span:,.0f} a second, CPU "
                  f"{1e6 * (server.cpu() - cpu) / count:.1f} us each, memory then {(server.memory() - memory) / count:.0f} B each")
        finally:
            server.process.terminate()
            server.process.wait()


for has_identity in (True, False):
    measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, has_identity)
