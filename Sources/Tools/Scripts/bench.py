#!/usr/bin/env python3
"""Times winch against aria2c, curl -Z and wget2 on the same files from nginx on loopback.

usage: bench WINCH [--runs N] [--case NAME] [--tool NAME] [--other WINCH]

Runs are interleaved, so that what the machine does besides hits all alike. Shown: median wall time, its ratio to curl's in the
same run, user time and its ratio to curl's, system time, peak memory. winch finishes durably (fsync before the rename); the others do not. "without" is
winch with --ephemeral: what the ledger costs.
"""
import argparse, os, resource, shutil, signal, socket, statistics, subprocess, sys, tempfile, time
from pathlib import Path

CASES = {
    # name: (files, bytes of each, transfers at a time)
    "small": (3000, 4096, 16),
    "many": (30000, 4096, 16),
    "eight": (8, 64 << 20, 8),
    "eight-tls": (8, 64 << 20, 8),
    "single": (1, 512 << 20, 1),
}
# The options that trust the certificate of the server.
TRUST = {"winch": "--cacert", "without": "--cacert", "curl": "--cacert", "aria2c": "--ca-certificate",
         "wget2": "--ca-certificate"}
CONF = """worker_processes 1; daemon off; pid {home}/nginx.pid; error_log {home}/error.log;
events {{ worker_connections 512; }}
http {{ access_log off; sendfile on; keepalive_requests 1000000; server {{ listen 127.0.0.1:{port}; root {home}/www; }}
server {{ listen 127.0.0.1:{tls_port} ssl; root {home}/www;
ssl_certificate {home}/server.pem; ssl_certificate_key {home}/server.key; }} }}
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def serve(home, cases):
    for case in cases:
        count, size, _ = CASES[case]
        folder = home / "www" / case
        folder.mkdir(parents=True)
        block = os.urandom(min(size, 1 << 20))
        for i in range(count):
            with open(folder / str(i), "wb") as f:
                for _ in range(max(1, size >> 20)):
                    f.write(block)
    port, tls_port = free_port(), free_port()
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", home / "server.key",
                    "-out", home / "server.pem"], check=True, stderr=subprocess.DEVNULL)
    conf = home / "nginx.conf"
    conf.write_text(CONF.format(home=home, port=port, tls_port=tls_port))
    server = subprocess.Popen([shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"), "-c", conf],
                              stderr=subprocess.DEVNULL)
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return server, (port, tls_port)
        except OSError:
            if server.poll() is not None: sys.exit("nginx does not start: " + (home / "error.log").read_text())
            time.sleep(0.05)


def commands(winch, other, home, case, ports):
    count, _, jobs = CASES[case]
    is_tls = case.endswith("-tls")
    origin = f"https://127.0.0.1:{ports[1]}" if is_tls else f"http://127.0.0.1:{ports[0]}"
    urls = [f"{origin}/{case}/{i}" for i in range(count)]
    (home / f"{case}.urls").write_text("".join(u + "\n" for u in urls))
    (home / f"{case}.curl").write_text("".join(f'url = "{u}"\noutput = "out/{i}"\n' for i, u in enumerate(urls)))
    listing = str(home / f"{case}.urls")
    parallel = ["-Z", "--parallel-max", str(jobs)] if count > 1 else []
    command = [winch, "--output", "quiet", "--per-host", str(jobs), "-j", str(jobs), "-d", "out", "-i", listing]
    tools = {
        "winch": [*command, "--state-dir", "state"],
        "without": [*command, "--ephemeral"],
        "curl": ["curl", "-s", *parallel, "-K", str(home / f"{case}.curl")],
        "aria2c": ["aria2c", "-q", "--file-allocation=none", "-j", str(jobs), "-d", "out", "-i", listing],
        "wget2": ["wget2", "-q", "--max-threads", str(jobs), "-P", "out", "-i", listing],
    }
    if is_tls:
        for tool, option in TRUST.items(): tools[tool][1:1] = [option, "server.pem"]
    if other: tools["other"] = [other, *tools["winch"][1:]]
    return tools


def measure(command, home, expected):
    out = home / "out"
    shutil.rmtree(out, ignore_errors=True)
    shutil.rmtree(home / "state", ignore_errors=True)  # each run is the first of its batch
    out.mkdir()
    os.sync()
    start = time.monotonic()
    pid = os.posix_spawn(shutil.which(command[0]), command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
    _, status, used = os.wait4(pid, 0)
    wall = time.monotonic() - start
    files = [f for f in out.iterdir()]
    if status or len(files) != expected[0] or any(f.stat().st_size != expected[1] for f in files):
        print(f"  {command[0]}: status {status}, {len(files)} files", file=sys.stderr)
        return None
    return wall, used.ru_utime, used.ru_stime, used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("winch")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--case", choices=CASES, action="append")
    parser.add_argument("--tool", action="append", help="only these, besides winch and curl")
    parser.add_argument("--other", metavar="WINCH", help="another build, to compare with")
    args = parser.parse_args()
    winch = os.path.abspath(args.winch)
    other = args.other and os.path.abspath(args.other)
    home = Path(tempfile.mkdtemp(prefix="winch-bench."))
    home.chmod(0o755)  # nginx reads as another user
    server = None
    try:
        server, ports = serve(home, args.case or CASES)
        os.chdir(home)
        print(f"{'case':10}{'tool':8}{'median s':>10}{'x curl':>8}{'user s':>8}{'x curl':>8}{'sys s':>8}{'peak MiB':>10}")
        for case in args.case or CASES:
            tools = {t: c for t, c in commands(winch, other, home, case, ports).items() if shutil.which(c[0])
                     and (not args.tool or t in ("winch", "other", "without", "curl", *args.tool))}
            results = {t: [] for t in tools}
            for _ in range(args.runs):
                for tool, command in tools.items():
                    if got := measure(command, home, CASES[case]): results[tool].append(got)
            for tool, rows in results.items():
                if not rows: continue
                middle = [statistics.median(r[k] for r in rows) for k in range(4)]
                wall, user = ([a[k] / b[k] for a, b in zip(rows, results["curl"])] if results.get("curl") else [0]
                              for k in (0, 1))
                print(f"{case:10}{tool:8}{middle[0]:10.3f}{statistics.median(wall):8.2f}{middle[1]:8.2f}"
                      f"{statistics.median(user):8.2f}{middle[2]:8.2f}"
                      f"{max(r[3] for r in rows):10.1f}")
            if results.get("without"):
                pairs = [a[0] / b[0] for a, b in zip(results["winch"], results["without"])]
                print(f"{case:10}the ledger costs {100 * (statistics.median(pairs) - 1):+.1f}%")
    finally:
        if server: server.send_signal(signal.SIGTERM); server.wait()
        shutil.rmtree(home, ignore_errors=True)


main()
