#!/usr/bin/env python3
"""Runs Resources/schedulers/winch-array.slurm with a real Slurm on this machine alone.

Starts munged, slurmctld and slurmd with a configuration of its own in a temporary folder and ports that are free, submits the
script for a list from a local server, and checks that the tasks together have fetched every file exactly once. Nothing is left
behind. Needs Debian's slurm-wlm, and root, because slurmd starts jobs as the user who submits them.

usage: slurm-array.py WINCH FAULT_SERVER [--entries N] [--tasks N]
"""
import argparse, os, pathlib, re, shutil, signal, socket, subprocess, sys, tempfile, time

HERE = pathlib.Path(__file__).resolve()
SCRIPT = HERE.parents[3] / "Resources/schedulers/winch-array.slurm"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """A cluster of one machine."""

    def __init__(self, folder):
        self.folder = folder
        self.started = []
        self.environment = dict(os.environ, SLURM_CONF=str(folder / "slurm.conf"))

    def start(self):
        host = socket.gethostname()
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        munge = self.folder / "munge.socket"
        (self.folder / "slurm.conf").write_text(f"""
ClusterName=winch-test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={munge}
CryptoType=crypto/munge
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:16
""")
        for path in (self.folder, self.folder / "slurm.conf"):
            path.chmod(0o755)
        self.run(["munged", "--force", "-F", "--key-file", key, "--socket", munge, "--pid-file",
                  self.folder / "munged.pid", "--log-file", self.folder / "munged.log", "--seed-file",
                  self.folder / "munged.seed"], "munged")
        self.until(munge.exists, "munged")
        self.run(["slurmctld", "-D", "-c"], "slurmctld")
        self.run(["slurmd", "-D", "-c"], "slurmd")
        self.until(lambda: re.search(r"idle", self.ask("sinfo", "-h", "-o", "%T")), "a node that is idle", 60)

    def run(self, command, name):
        log = open(self.folder / f"{name}.out", "wb")
        self.started.append(
            subprocess.Popen([str(word) for word in command], env=self.environment, stdout=log, stderr=log))

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout

    def until(self, condition, what, seconds=20):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                logs = "".join(path.read_text(errors="replace")[-2000:] for path in self.folder.glob("*.out"))
                sys.exit(f"waited {seconds} s for {what}\n{logs}")
            time.sleep(0.1)

    def submit(self, folder, *words):
        environment = dict(self.environment, PATH=f"{folder / 'bin'}:{os.environ['PATH']}")
        done = subprocess.run(["sbatch", "--parsable", "--export=ALL", *words], env=environment, cwd=folder,
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"sbatch: {done.stderr}")
        self.until(lambda: not self.ask("squeue", "-h", "-j", done.stdout.strip()).strip(), "the job", 300)

    def stop(self):
        for process in reversed(self.started):
            process.send_signal(signal.SIGTERM)
        for process in reversed(self.started):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def fault_server(program):
    process = subprocess.Popen([program, "--port", "0"], stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    return process, re.search(r"http://\S+?:\d+", line).group(0)


def check(folder, entries, tasks, listed):
    """Every file is there, and the logs of the tasks name each exactly once."""
    logs = [path.read_text() for path in sorted(folder.glob("winch-*.log"))]
    names = [name for log in logs for name in re.findall(r"^finished  (\S+)", log, re.M)]
    files = sorted(path.name for path in (folder / "data").iterdir() if path.suffix == ".bin")
    shards = [tuple(map(int, found)) for log in logs for found in re.findall(r"shard \d+/\d+: (\d+) of (\d+)", log)]
    good = (len(files) == entries and sorted(names) == files and len(logs) == tasks
            and sum(taken for taken, _ in shards) == entries)
    print(f"{listed}: {tasks} tasks, {len(files)} files of {entries}, {len(names)} fetched, "
          f"by task {[taken for taken, _ in shards]}")
    if not good:
        print("".join(logs)[-4000:])
        sys.exit("wrong")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("winch")
    parser.add_argument("fault_server")
    parser.add_argument("--entries", type=int, default=60)
    parser.add_argument("--tasks", type=int, default=6)
    given = parser.parse_args()
    for tool in ("munged", "slurmctld", "slurmd", "sbatch"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not installed: apt-get install slurm-wlm")
    with tempfile.TemporaryDirectory(prefix="winch-slurm-") as name:
        folder = pathlib.Path(name)
        (folder / "cluster").mkdir()
        cluster = Cluster(folder / "cluster")
        server, address = fault_server(given.fault_server)
        try:
            cluster.start()
            for listed, words, script in (
                ("from 0", [f"--array=0-{given.tasks - 1}"], []), ("from 1", [f"--array=1-{given.tasks}"], []),
                ("every second number", [f"--array=0-{2 * given.tasks - 1}:2"], [])):
                work = folder / listed.replace(" ", "-")
                (work / "bin").mkdir(parents=True)
                os.symlink(os.path.abspath(given.winch), work / "bin/winch")
                (work / "urls.txt").write_text(
                    "".join(f"{address}/f/{number}.bin?size=1000\n" for number in range(given.entries)))
                cluster.submit(work, *words, "--time=5", "--mem=100M", str(SCRIPT), "urls.txt", "data", *script)
                check(work, given.entries, given.tasks, listed)
        finally:
            server.terminate()
            cluster.stop()


main()
