#!/usr/bin/env python3
"""Measures a small fleet on this machine, and compares it with plain winch and with winch-fleet-simulator.

1. Entries submitted a second.
2. Small files over workers, against one plain winch for each core; and when the last one ends, against the ideal.
3. What the server spends: messages a second, CPU and bytes for an entry, against the simulator with the same numbers.

usage: fleet-bench.py BIN-FOLDER [--entries N] [--files N] [--workers N] [--rounds N]
"""
import argparse, os, pathlib, re, statistics, subprocess, sys, tempfile, time

import fleets

SIZE = 4096


def submit(given, folder, count):
    server = fleets.NatsServer(folder / "submit").wait()
    try:
        (folder / "many.txt").write_text("".join(
            f"https://files.example.org/archive/2024/part-{number:012}.tar.gz\n out=2024/part-{number:012}.tar.gz\n"
            for number in range(count)))
        workers = fleets.Workers(given.fleet, server.url, folder, 0)
        began, cpu = time.monotonic(), server.cpu()
        print(workers.command("submit", "-i", folder / "many.txt"), end=": ")
        span = time.monotonic() - began
        info = server.info("winch-default-queue")["state"]
        print(f"{count / span:,.0f} entries a second; the server's CPU {1e6 * (server.cpu() - cpu) / count:.1f} us, "
              f"{info['bytes'] / count:.0f} bytes each")
        return info["bytes"] / count
    finally:
        server.kill()


def plain(given, folder, urls):
    """One winch for each core, each with its part of the list."""
    cores = os.cpu_count()
    for core in range(cores):
        (folder / f"part{core}.txt").write_text("\n".join(urls[core::cores]) + "\n")
    began = time.monotonic()
    runs = [subprocess.Popen(
        [given.winch, "-i", folder / f"part{core}.txt", "-d", folder / "plain", "-j", "8", "--per-host", "8",
         "--state-dir", folder / f"state{core}", "--output", "json"], stdout=subprocess.DEVNULL,
        env=dict(os.environ, HOME=str(folder))) for core in range(cores)]
    if any(run.wait() for run in runs):
        sys.exit("plain winch has failed")
    return time.monotonic() - began


def fleet(given, folder, urls, arguments, pause=0.02):
    server = fleets.NatsServer(folder / "nats").wait()
    workers = fleets.Workers(given.fleet, server.url, folder, given.workers, ["--until-done", *arguments])
    try:
        (folder / "urls.txt").write_text("\n".join(urls) + "\n")
        workers.command("submit", "-i", folder / "urls.txt")
        before, cpu, began = server.variables(), server.cpu(), time.monotonic()
        workers.start()
        done = 0
        while done < len(urls):
            time.sleep(pause)
            done = server.messages("winch-default-done") or 0
        span = time.monotonic() - began
        after, cpu = server.variables(), server.cpu() - cpu
        state = server.info("winch-default-done")["state"]
        workers.wait()
        ends = sorted(path.stat().st_mtime for number in range(given.workers)
                      for path in workers.files(number).glob("*.bin"))
        return {
            "span": span, "cpu": cpu / len(urls), "bytes": state["bytes"] / len(urls), "ends": ends,
            "messages": (after["in_msgs"] + after["out_msgs"] - before["in_msgs"] - before["out_msgs"]) / span}
    finally:
        workers.stop()
        server.kill()


def simulate(given, **numbers):
    output = subprocess.run([given.simulator, *(f"{name.replace('_', '-')}={value}" for name, value in numbers.items())],
                            check=True, capture_output=True, text=True).stdout
    return {match[0]: float(match[1]) for match in re.findall(r"^measure ([a-z-]+) ([0-9.e+-]+)$", output, re.M)}


def compare(name, measured, simulated):
    print(f"    {name}: measured {measured:.4g}, simulated {simulated:.4g}, {100 * (simulated / measured - 1):+.0f} %")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("--entries", type=int, default=200_000)
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    given.winch, given.fleet, given.simulator = (
        os.path.abspath(f"{given.bin}/{name}") for name in ("winch", "winch-fleet", "winch-fleet-simulator"))
    files = fleets.FileServer(f"{given.bin}/fault-server")
    try:
        with tempfile.TemporaryDirectory() as name:
            stored = submit(given, pathlib.Path(name), given.entries)
        ratios = []
        for number in range(given.rounds):
            urls = [f"{files.address}/f/{number}-{index}.bin?size={SIZE}" for index in range(given.files)]
            with tempfile.TemporaryDirectory() as name:
                alone = plain(given, pathlib.Path(name), urls)
            with tempfile.TemporaryDirectory() as name:
                together = fleet(given, pathlib.Path(name), urls, ["-j", "4", "--gate", "16"])
            ratios.append(alone / together["span"])
            print(f"{given.files} files of {SIZE} bytes: plain {alone:.2f} s, {given.workers} workers {together['span']:.2f} s, "
                  f"{ratios[-1]:.2f} x; {fleets.load()}")
        print(f"    the fleet's rate is {statistics.median(ratios):.2f} x that of one plain winch for each core")
        # Files that take the same time whatever the machine does: what the fleet adds to it is seen.
        latency, jobs, count = 0.2, 4, given.workers * 4 * 60
        urls = [f"{files.address}/f/slow-{index}.bin?size={SIZE}&latency={latency}" for index in range(count)]
        with tempfile.TemporaryDirectory() as name:
            slow = fleet(given, pathlib.Path(name), urls, ["-j", str(jobs), "--gate", str(given.workers * jobs)],
                         pause=1)
        # From when all workers are at work.
        start = slow["ends"][given.workers * jobs]
        rate = (count * 0.8) / (slow["ends"][int(count * 0.9)] - slow["ends"][int(count * 0.1)])
        ideal = (count - given.workers * jobs) / rate
        took = slow["ends"][-1] - start
        print(f"{count} files of {latency} s: the last ends at {took / ideal:.3f} x the ideal; {fleets.load()}")
        simulated = simulate(
            given, workers=given.workers, entries=count, jobs=jobs, ahead=1, mean_size=SIZE, overhead=latency, hosts=1,
            host_limit=given.workers * jobs, deaths_per_hour=0, updates=1e-9, line=1e9)
        compare("seconds for an entry of a worker", given.workers * jobs * took / count,
                given.workers * jobs * simulated["time"] / count)
        compare("messages a second", slow["messages"], simulated["messages"])
        compare("bytes stored for a result", slow["bytes"], simulated["result-bytes"])
        compare("bytes stored for an entry", stored, simulated["entry-bytes"])
    finally:
        files.stop()


main()
