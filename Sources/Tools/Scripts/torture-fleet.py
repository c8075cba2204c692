#!/usr/bin/env python3
"""Lets a fleet download a list while its workers are killed and its server is restarted, and checks that nothing is lost.

Workers and nats-server are killed with -9 at random moments. At the end every file must be there with the right bytes, every entry
exactly once among the results, and the work that was done again at most one part for each transfer of a killed worker. Then a
worker with --until-done must end at once.

usage: torture-fleet.py WINCH_FLEET FAULT_SERVER [--entries N] [--workers N] [--kills N] [--seed N] [--shared]
"""
import argparse, concurrent.futures, os, pathlib, random, subprocess, sys, tempfile, time, urllib.request

import fleets

JOBS = 4
LATENCY = 0.02
"""Of each file, in seconds, so that the kills hit a list that is at work."""


def keep(folder):
    """Keeps the logs of a run that went wrong."""
    target = tempfile.mkdtemp(prefix="winch-fleet-wrong-")
    subprocess.run(["cp", "-r", folder, target])
    return target


def torture(given, folder, chance):
    """Returns the span, the workers killed and the restarts of the server."""
    workers, server = given.fleet, given.server
    began, kills, restarts = time.monotonic(), 0, 0
    quiet_since, last = time.monotonic(), None
    while True:
        # Not the messages in the queue: a nats-server that was killed may have forgotten that it had removed some, and its
        # consumer, which knows that they are acknowledged, never hands them out again.
        settled = [server.messages(f"winch-default-{stream}") for stream in ("done", "failed")]
        left = None if None in settled else given.entries - sum(settled)
        if left == 0:
            return time.monotonic() - began, kills, restarts
        if left != last:
            quiet_since, last = time.monotonic(), left
        if time.monotonic() - quiet_since > 120:
            sys.exit(f"stuck: {left} entries left, seed {given.seed}; see {keep(folder)}")
        if kills + restarts >= given.kills:
            time.sleep(0.2)
            continue
        time.sleep(chance.uniform(0.05, 0.8))
        if chance.random() < 0.25:
            server.kill()
            time.sleep(chance.uniform(0, 0.5))
            server.start()
            restarts += 1
        else:
            number = chance.randrange(given.workers)
            workers.kill(number)
            time.sleep(chance.uniform(0, 0.2))
            workers.start(number)
            kills += 1


def check(given, folder, urls, span, kills, restarts):
    server = given.server
    done, failed = server.messages("winch-default-done"), server.messages("winch-default-failed")
    found = {}
    for place in {given.fleet.files(number) for number in range(given.workers)}:
        for path in place.glob("*.bin") if place.is_dir() else []:
            found.setdefault(path.name, []).append(path)
    requests = len(given.files.requests())

    def is_right(url):
        name = url.split("/")[-1].split("?")[0]
        expected = urllib.request.urlopen(url.replace(f"&latency={LATENCY}", "")).read()
        return name in found and all(path.read_bytes() == expected for path in found[name]), name

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        faults = [name for right, name in pool.map(is_right, urls) if not right]
    entries = server.results("winch-default-done", done)
    again = sum(len(paths) - 1 for paths in found.values())
    print(f"{given.entries} entries, {given.workers} workers: {span:.1f} s, {kills} workers and {restarts} servers killed, "
          f"seed {given.seed}; {fleets.load()}")
    print(f"results {done}, of different entries {len(set(entries))}, failed {failed}, wrong or missing files {len(faults)}, "
          f"files twice {again}, requests beyond one a file {requests - given.entries}, "
          f"left in the queue's stream {server.messages('winch-default-queue')}")
    # A killed worker had so many transfers, and their parts are with it, or complete and not yet told.
    most = kills * JOBS + restarts * given.workers * JOBS
    if done != given.entries or len(set(entries)) != given.entries or failed or faults or requests - given.entries > most:
        sys.exit(f"wrong: {faults[:10]}, at most {most} requests again; see {keep(folder)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("winch_fleet")
    parser.add_argument("fault_server")
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shared", action="store_true", help="one folder for all workers")
    given = parser.parse_args()
    chance = random.Random(given.seed)
    with tempfile.TemporaryDirectory(prefix="winch-fleet-") as name:
        folder = pathlib.Path(name)
        given.server = fleets.NatsServer(folder / "nats").wait()
        given.files = fleets.FileServer(given.fault_server)
        given.fleet = fleets.Workers(
            os.path.abspath(given.winch_fleet), given.server.url, folder, given.workers, ["-j", str(JOBS)], given.shared)
        try:
            urls = [f"{given.files.address}/f/{number}.bin?size={1000 + number % 7919}&latency={LATENCY}"
                    for number in range(given.entries)]
            (folder / "urls.txt").write_text("\n".join(urls) + "\n")
            print(given.fleet.command("submit", "-i", folder / "urls.txt"))
            given.fleet.start()
            span, kills, restarts = torture(given, folder, chance)
            given.fleet.stop()
            check(given, folder, urls, span, kills, restarts)
            began = time.monotonic()
            given.fleet.command("work", "-d", folder / "last", "--until-done")
            print(f"a worker with --until-done then ends after {time.monotonic() - began:.1f} s")
        finally:
            given.fleet.stop()
            given.server.kill()
            given.files.stop()


main()
