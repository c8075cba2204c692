#!/usr/bin/env python3
"""Runs Resources/schedulers/winch-array.slurm with a real Slurm on this machine alone.

Starts munged, slurmctld and slurmd with a configuration of its own in a temporary folder and on free ports, submits the script for a
list from a local server, and checks that the tasks together have fetched every file exactly once. Needs Debian's slurm-wlm, and root,
because slurmd starts jobs as the user who submits them.

usage: slurm-array.py BIN
"""
import os, re, socket, subprocess, sys
from pathlib import Path

from servers import Home, free_port, until

SCRIPT = Path(__file__).resolve().parents[2] / "Resources/schedulers/winch-array.slurm"
ENTRIES, TASKS = 60, 6
# What numbers the tasks have, and the option that says so.
ARRAYS = {"from 0": f"0-{TASKS - 1}", "from 1": f"1-{TASKS}", "every second number": f"0-{2 * TASKS - 1}:2"}
CONFIGURATION = """ClusterName=winch-test SlurmctldHost={host}(127.0.0.1) SlurmUser=root
AuthType=auth/munge AuthInfo=socket={folder}/munge.socket CryptoType=crypto/munge SlurmctldPort={controller} SlurmdPort={daemon}
SlurmctldPidFile={folder}/slurmctld.pid SlurmdPidFile={folder}/slurmd.pid StateSaveLocation={folder}/slurm SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/linuxproc TaskPlugin=task/none SelectType=select/cons_tres SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1 SwitchType=switch/none MpiDefault=none ReturnToService=2
""".replace(" ", "\n") + """NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:16
"""


def ask(home, *command, folder=None):
    """Empty when it fails: squeue knows no jobs that ended long ago."""
    return subprocess.run(command, env=home.environment, cwd=folder, stdout=subprocess.PIPE, text=True).stdout.strip()


def start_slurm(home):
    folder, controller, daemon = home.folder, free_port(), free_port()
    home.environment |= {"SLURM_CONF": str(folder / "slurm.conf"), "PATH": f"{home.bin}:{os.environ['PATH']}"}
    for path in ("slurm", "spool"): (folder / path).mkdir()
    (folder / "munge.key").write_bytes(os.urandom(128))
    (folder / "munge.key").chmod(0o400)
    (folder / "slurm.conf").write_text(
        CONFIGURATION.format(host=socket.gethostname(), folder=folder, controller=controller, daemon=daemon, cores=os.cpu_count()))
    for path in (folder, folder / "slurm.conf"): path.chmod(0o755)
    home.start("munged", "--force", "-F", *[f"--{name}={folder}/munge.{end}" for name, end in (
        ("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"), ("log-file", "log"), ("seed-file", "seed"))])
    until((folder / "munge.socket").exists, "munged")
    home.start("slurmctld", "-D", "-c", port=controller)
    home.start("slurmd", "-D", "-c", port=daemon)
    until(lambda: "idle" in ask(home, "sinfo", "-h", "-o", "%T"), "a node that is idle", 60)


def check(folder, listed):
    """Every file is there, and the logs of the tasks name each exactly once."""
    logs = [path.read_text() for path in sorted(folder.glob("winch-*.log"))]
    names = [name for log in logs for name in re.findall(r"^finished  (\S+)", log, re.M)]
    files = sorted(path.name for path in (folder / "data").glob("*.bin"))
    taken = [int(count) for log in logs for count in re.findall(r"shard \d+/\d+: (\d+) of \d+", log)]
    print(f"{listed}: {TASKS} tasks, {len(files)} files of {ENTRIES}, {len(names)} fetched, by task {taken}")
    if len(files) != ENTRIES or sorted(names) != files or len(logs) != TASKS or sum(taken) != ENTRIES:
        sys.exit("".join(logs)[-4000:] + "wrong")


with Home(Path(sys.argv[1]).resolve()) as home:
    origin = home.fault_server()
    start_slurm(home)
    for number, (listed, array) in enumerate(ARRAYS.items()):
        work = home.folder / f"work{number}"
        work.mkdir()
        (work / "urls.txt").write_text("".join(f"{origin}/f/{entry}.bin?size=1000\n" for entry in range(ENTRIES)))
        job = ask(home, "sbatch", "--parsable", "--export=ALL", f"--array={array}", "--time=5", "--mem=100M", str(SCRIPT),
                  "urls.txt", "data", folder=work) or sys.exit("wrong")
        until(lambda: not ask(home, "squeue", "-h", "-j", job), "the job", 300)
        check(work, listed)
