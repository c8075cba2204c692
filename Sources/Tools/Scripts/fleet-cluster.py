#!/usr/bin/env python3
"""Kills one of three nats-servers while a fleet works, and measures for how long it stands still.

The entries are in three copies (submit --replicas 3). One server after the other is killed with -9 and started again; each time
the longest time without a complete file must be at most 5 s.

usage: fleet-cluster.py WINCH_FLEET FAULT_SERVER [--workers N] [--kills N]
"""
import argparse, os, pathlib, subprocess, sys, tempfile, time

import fleets

MOST = 5.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("winch_fleet")
    parser.add_argument("fault_server")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--pause", type=float, default=15, help="seconds from one kill to the next")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="winch-cluster-") as name:
        folder = pathlib.Path(name)
        servers = fleets.cluster(folder)
        files = fleets.FileServer(given.fault_server)
        workers = fleets.Workers(os.path.abspath(given.winch_fleet), ",".join(server.url for server in servers), folder,
                                 given.workers, ["-j", "4", "--replicas", "3"])
        try:
            count = int((given.kills + 2) * given.pause * 160)
            (folder / "urls.txt").write_text("".join(
                f"{files.address}/f/{number}.bin?size=1000&latency=0.05\n" for number in range(count)))
            for _ in range(20):
                try:
                    print(workers.command("submit", "--replicas", "3", "-i", folder / "urls.txt"))
                    break
                except subprocess.CalledProcessError as error:
                    # The servers have not yet agreed on their leader.
                    print(error.stderr.strip(), file=sys.stderr)
                    time.sleep(1)
            else:
                sys.exit("the cluster takes no list")
            workers.start()
            time.sleep(given.pause / 2)
            killed = []
            for number in range(given.kills):
                leader = servers[0].info("winch-default-queue").get("cluster", {}).get("leader") or f"s{number % 3}"
                victim = servers[int(leader[1:])]
                victim.kill()
                killed.append((time.time(), leader))
                time.sleep(given.pause / 2)
                victim.start()
                victim.wait()
                time.sleep(given.pause / 2)
            end = time.time()
            ends = sorted(path.stat().st_mtime for number in range(given.workers)
                          for path in workers.files(number).glob("*.bin"))
            print(f"{given.workers} workers, {len(ends)} files; {fleets.load()}")
            worst = 0.0
            for index, (moment, leader) in enumerate(killed):
                until = killed[index + 1][0] if index + 1 < len(killed) else end
                times = [moment] + [one for one in ends if moment < one < until] + [until]
                gap = max(later - one for one, later in zip(times, times[1:]))
                worst = max(worst, gap)
                print(f"{leader}, which leads the queue, killed: {gap:.1f} s without a complete file, at most")
            if worst > MOST:
                sys.exit(f"stood still for {worst:.1f} s")
        finally:
            workers.stop()
            for server in servers:
                server.kill()
            files.stop()


main()
