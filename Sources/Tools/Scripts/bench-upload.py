#!/usr/bin/env python3
"""Times uploads of winch against curl to nginx (PUT) and against curl and sftp to OpenSSH's server, all on loopback.

usage: bench-upload WINCH [--runs N] [--case NAME] [--other WINCH]

Runs are interleaved. Shown: median wall time, the median of its ratios to curl's and sftp's in the same run, user and system time,
peak memory. What has arrived is compared with the source. "without" is winch with --ephemeral: what the ledger costs.
"""
import argparse, filecmp, getpass, os, shutil, signal, socket, statistics, subprocess, sys, tempfile, time
from pathlib import Path

CASES = {
    # name: (protocol, files, bytes of each, transfers at a time)
    "small": ("http", 3000, 4096, 16),
    "single": ("http", 1, 1 << 30, 1),
    "eight": ("http", 8, 64 << 20, 8),
    "sftp": ("sftp", 1, 512 << 20, 1),
}
NGINX = """{user} worker_processes 1; daemon off; pid {home}/nginx.pid; error_log {home}/error.log;
events {{ worker_connections 512; }}
http {{ access_log off; keepalive_requests 1000000; client_max_body_size 0; client_body_temp_path {home}/body;
server {{ listen 127.0.0.1:{port}; root {home}/got; dav_methods PUT; }} }}
"""
SSHD = """Port {port}
ListenAddress 127.0.0.1
HostKey {home}/host
AuthorizedKeysFile {home}/.ssh/id_rsa.pub
PubkeyAcceptedAlgorithms +ssh-rsa
StrictModes no
UsePAM no
PidFile none
PermitRootLogin yes
Subsystem sftp internal-sftp
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start(command, port):
    path = shutil.which(command[0], path=os.environ["PATH"] + ":/usr/sbin")
    if not path: sys.exit(command[0] + " is not installed")
    server = subprocess.Popen([path, *command[1:]], stderr=subprocess.DEVNULL)
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return server
        except OSError:
            if server.poll() is not None: sys.exit(command[0] + " does not start")
            time.sleep(0.05)


def make_key(path, *kind):
    subprocess.run(["ssh-keygen", "-q", *kind, "-N", "", "-f", path], check=True)


def serve(home):
    """Starts nginx and sshd. HOME is the user's side: the key, and the server's in known_hosts."""
    (home / "got").mkdir()
    (home / ".ssh").mkdir(0o700)
    http, ssh = free_port(), free_port()
    # Workers of an nginx that root starts are those of another user, who may not write here.
    user = "user root;" if os.getuid() == 0 else ""
    (home / "nginx.conf").write_text(NGINX.format(home=home, port=http, user=user))
    (home / "sshd.conf").write_text(SSHD.format(home=home, port=ssh))
    make_key(home / "host", "-t", "ed25519")
    make_key(home / ".ssh/id_rsa", "-t", "rsa", "-b", "2048", "-m", "PEM")
    key = (home / "host.pub").read_text().split()
    (home / ".ssh/known_hosts").write_text(f"[127.0.0.1]:{ssh} {key[0]} {key[1]}\n")
    if os.getuid() == 0: os.makedirs("/run/sshd", exist_ok=True)
    os.environ["HOME"] = str(home)
    servers = [start(["nginx", "-c", str(home / "nginx.conf")], http),
               start(["sshd", "-D", "-f", str(home / "sshd.conf")], ssh)]
    return servers, {"http": f"http://127.0.0.1:{http}", "sftp": f"sftp://{getpass.getuser()}@127.0.0.1:{ssh}{home}/got"}, ssh


def make_sources(home, case):
    _, count, size, _ = CASES[case]
    folder = home / case
    folder.mkdir()
    block = os.urandom(min(size, 1 << 20))
    for i in range(count):
        with open(folder / str(i), "wb") as f:
            for _ in range(max(1, size >> 20)): f.write(block)
    return folder


def commands(winch, other, home, case, origins, ssh_port):
    protocol, count, _, jobs = CASES[case]
    origin = origins[protocol]
    pairs = [(f"{case}/{i}", f"{origin}/{i}") for i in range(count)]
    Path(f"{case}.urls").write_text("".join(f"{u}\n  upload={f}\n" for f, u in pairs))
    Path(f"{case}.curl").write_text("".join(f'upload-file = "{f}"\nurl = "{u}"\n' for f, u in pairs))
    Path(f"{case}.sftp").write_text("".join(f"put {f} got/{Path(f).name}\n" for f, _ in pairs))
    command = [winch, "--output", "quiet", "--per-host", str(jobs), "-j", str(jobs), "-i", f"{case}.urls"]
    tools = {
        "winch": [*command, "--state-dir", "state"],
        "without": [*command, "--ephemeral"],
        "curl": ["curl", "-s", "--fail", *(["-Z", "--parallel-max", str(jobs)] if count > 1 else []), "-K", f"{case}.curl"],
    }
    if protocol == "sftp":
        tools["curl"] += ["--key", ".ssh/id_rsa", "--pubkey", ".ssh/id_rsa.pub"]
        # ssh takes the folder of keys from the user database, not from HOME.
        tools["sftp"] = ["sftp", "-q", "-b", f"{case}.sftp", "-P", str(ssh_port), "-i", ".ssh/id_rsa",
                         "-o", "UserKnownHostsFile=.ssh/known_hosts", f"{getpass.getuser()}@127.0.0.1:{home}"]
    if other: tools["other"] = [other, *tools["winch"][1:]]
    return tools


def measure(command, home, case):
    for folder in ("got", "state"): shutil.rmtree(home / folder, ignore_errors=True)
    (home / "got").mkdir()
    os.sync()
    begun = time.monotonic()
    pid = os.posix_spawn(shutil.which(command[0]), command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, n, "/dev/null", os.O_WRONLY, 0) for n in (1, 2)])
    _, status, used = os.wait4(pid, 0)
    wall = time.monotonic() - begun
    names = [str(i) for i in range(CASES[case][1])]
    equal = filecmp.cmpfiles(home / case, home / "got", names, shallow=False)[0]
    filecmp.clear_cache()
    if status or len(equal) != len(names) or len(os.listdir(home / "got")) != len(names):
        print(f"  {command[0]}: status {status}, {len(equal)} files are right", file=sys.stderr)
        return None
    return wall, used.ru_utime, used.ru_stime, used.ru_maxrss / 1024


def ratio(rows, others):
    pairs = [a[0] / b[0] for a, b in zip(rows, others) if a and b]
    return f"{statistics.median(pairs):.2f}" if pairs else "-"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("winch")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--case", choices=CASES, action="append")
    parser.add_argument("--other", metavar="WINCH", help="another build, to compare with")
    args = parser.parse_args()
    winch = os.path.abspath(args.winch)
    other = args.other and os.path.abspath(args.other)
    os.environ["NO_PROXY"] = "127.0.0.1"
    home = Path(tempfile.mkdtemp(prefix="winch-bench."))
    servers = []
    try:
        servers, origins, ssh_port = serve(home)
        os.chdir(home)
        print(f"{'case':8}{'tool':8}{'median s':>10}{'x curl':>8}{'x sftp':>8}{'user s':>8}{'sys s':>8}{'peak MiB':>10}")
        for case in args.case or CASES:
            source = make_sources(home, case)
            tools = commands(winch, other, home, case, origins, ssh_port)
            results = {t: [] for t in tools}
            names = list(tools)
            for run in range(args.runs):
                # Each tool is first in turn: the first run after a comparison of large files was found to take longer.
                for tool in names[run % len(names):] + names[:run % len(names)]:
                    results[tool].append(measure(tools[tool], home, case))
            shutil.rmtree(source)
            for tool, rows in results.items():
                ratios = [ratio(rows, results.get(peer, [])) for peer in ("curl", "sftp")]
                rows = [r for r in rows if r]
                if not rows: continue
                middle = [statistics.median(r[k] for r in rows) for k in range(3)]
                print(f"{case:8}{tool:8}{middle[0]:10.3f}{ratios[0]:>8}{ratios[1]:>8}{middle[1]:8.2f}"
                      f"{middle[2]:8.2f}{max(r[3] for r in rows):10.1f}", flush=True)
    finally:
        for server in servers: server.send_signal(signal.SIGTERM); server.wait()
        shutil.rmtree(home, ignore_errors=True)


main()
