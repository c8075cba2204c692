#!/usr/bin/env python3
"""Times uploads of winch against curl to nginx (PUT) and against curl and sftp to OpenSSH's server, all on loopback.

usage: bench-upload WINCH [--runs N] [--case NAME] [--other WINCH]

Runs are interleaved. Shown: median wall time, the median of its ratios to curl's and sftp's in the same run, user and system time,
peak memory. What has arrived is compared with the source. "without" is winch with --ephemeral: what the ledger costs.
"""
import argparse, filecmp, getpass, os, shutil, statistics, sys, tempfile, time
from pathlib import Path

import upload_servers

CASES = {
    # name: (protocol, files, bytes of each, transfers at a time)
    "small": ("http", 3000, 4096, 16),
    "single": ("http", 1, 1 << 30, 1),
    "eight": ("http", 8, 64 << 20, 8),
    "sftp": ("sftp", 1, 512 << 20, 1),
}


def serve(home):
    """Starts nginx and sshd. HOME is the user's side."""
    (nginx, http), (sshd, ssh) = upload_servers.put(home), upload_servers.sftp(home)
    os.environ["HOME"] = str(home)
    return [nginx, sshd], {"http": f"http://127.0.0.1:{http}", "sftp": f"sftp://{getpass.getuser()}@127.0.0.1:{ssh}{home}/got"}, ssh


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
        upload_servers.stop(servers)
        shutil.rmtree(home, ignore_errors=True)


main()
