#!/usr/bin/env python3
"""Compares what winch says it has sent with what a server's program has read at the same time.

usage: upload-figures WINCH FAULT_SERVER [--runs N] [--seed S] [--verbose]

Each run uploads a file, by PUT, POST or tus, to a server that reads at a random rate, stops for a while, or breaks off. Wrong: a
figure more than 4 MiB ahead of what had been read at that time, and 100 % before the answer.
"""
import argparse, json, os, random, shutil, subprocess, sys, tempfile, urllib.request
from bisect import bisect_right
from pathlib import Path

PROMISE = 4 << 20


def behaviour(chance):
    """Words of a URL."""
    kind = chance.choice(["rate", "stall", "drop", "window", "slow answer"])
    rate = chance.choice(["4M", "16M", "64M"])
    return {
        "rate": [f"rate={rate}"],
        # Read quickly first: the system enlarges the window of such a connection.
        "stall": [f"stallfirst={chance.randint(1, 12) << 20}", "stallfor=1"],
        "drop": [f"rate={rate}", f"dropfirst={chance.randint(1, 8) << 20}", *(["reset"] if chance.random() < 0.5 else [])],
        "window": [f"rate={rate}", f"window={chance.choice(['64K', '1M'])}"],
        "slow answer": ["latency=1", f"rate={rate}"],
    }[kind]


def play(winch, server, home, seed):
    """Returns the samples, the most that one was ahead, and what is wrong."""
    chance = random.Random(seed)
    size = chance.randint(4 << 20, 24 << 20)
    source = home / f"x{seed}"
    source.write_bytes(chance.randbytes(size))
    method = chance.choice(["PUT", "PUT", "POST", "tus"])
    words = behaviour(chance)
    if method == "POST": words = [w for w in words if not w.startswith("drop") and w != "reset"]
    path = "/tus" if method == "tus" else f"/up/x{seed}"
    how = ["--resumable", "tus"] if method == "tus" else ["--method", method]
    command = [winch, "put", str(source), f"{server}{path}?{'&'.join(words)}", *how, "--ephemeral", "--output", "json",
               "--retry-wait", "0.1"]
    urllib.request.urlopen(server + "/reset")
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    requests = [r for r in json.load(urllib.request.urlopen(server + "/received?marks")) if r["marks"]]
    source.unlink()
    faults, samples, worst = [] if run.returncode == 0 else [f"exit {run.returncode}"], 0, 0
    # What had been read in all requests of tus, or in the last one: a PUT begins anew.
    marks = [[t, n + (offset(r) if method == "tus" else 0)] for r in requests for t, n in r["marks"]]
    for index, line in enumerate(lines):
        if "sent" not in line or line["event"] == "retrying": continue
        samples += 1
        # Times in JSON are cut to milliseconds.
        at = bisect_right(marks, [int((line["time"] + 0.001) * 1e9), 1 << 62])
        had = marks[at - 1][1] if at else 0
        worst = max(worst, line["sent"] - had)
        if line["sent"] - had > PROMISE: faults.append(f"{line['event']}: {line['sent']} sent, {had} read")
        if line.get("percent") == 100 and line["event"] != "finished": faults.append(f"100 % when {line['event']}")
    ends = [l["time"] for l in lines if l["event"] == "finished"]
    if ends and marks and marks[-1][0] > (ends[0] + 0.001) * 1e9: faults.append("finished before the end was read")
    if "latency=1" in words and ends and ends[0] - marks[-1][0] / 1e9 < 0.9: faults.append("finished before the answer")
    return samples, worst, [f"{method} {' '.join(words)}: {fault}" for fault in faults]


def offset(request):
    value = request["headers"].get("upload-offset", 0)
    return int(value[0] if isinstance(value, list) else value)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("winch")
    parser.add_argument("server")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.randint(1, 999_999))
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    os.environ["NO_PROXY"] = "127.0.0.1"
    winch = os.path.abspath(args.winch)
    home = Path(tempfile.mkdtemp(prefix="winch-figures."))
    server = subprocess.Popen([os.path.abspath(args.server)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        url = server.stdout.readline().strip()
        samples = worst = wrong = 0
        for seed in range(args.seed, args.seed + args.runs):
            some, ahead, faults = play(winch, url, home, seed)
            samples, worst, wrong = samples + some, max(worst, ahead), wrong + bool(faults)
            if args.verbose: print(f"  seed {seed}: {some} samples, at most {ahead >> 10} KiB ahead", flush=True)
            for fault in faults[:3]: print(f"✘ --seed {seed}: {fault}", flush=True)
        print(f"{args.runs} runs, {samples} samples, {wrong} wrong, at most {worst >> 10} KiB ahead of what the server had read")
        sys.exit(1 if wrong else 0)
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(home, ignore_errors=True)


main()
