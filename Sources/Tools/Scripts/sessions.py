"""Sessions of winch in the background, for scripts: each in a folder of its own, with servers on loopback for it to download from."""
import importlib.util, json, os, shutil, signal, socket, subprocess, tempfile, time
from pathlib import Path

import screens, upload_servers

spec = importlib.util.spec_from_file_location("session_client", Path(__file__).with_name("session-client.py"))
client = importlib.util.module_from_spec(spec)
spec.loader.exec_module(client)


class Home:
    """The home folder of a user who has sessions."""

    def __init__(self, winch):
        self.winch, self.folder = os.path.abspath(winch), Path(tempfile.mkdtemp(prefix="winch-session."))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("WINCH_")}
        self.environment |= {"TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(self.folder), "NO_PROXY": "127.0.0.1",
                             "XDG_STATE_HOME": str(self.folder / "state"), "XDG_CONFIG_HOME": str(self.folder / "config")}
        self.state, self.socket = self.folder / "state/winch", self.folder / "state/winch/session.socket"
        self.servers = []

    def run(self, *arguments, check=True):
        """Runs winch; returns what it prints."""
        done = subprocess.run([self.winch, *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True,
                              timeout=60)
        if check and done.returncode:
            raise RuntimeError(f"winch {' '.join(arguments)}: exit code {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def status(self): return json.loads(self.run("status", "--json"))

    @property
    def pid(self):
        """Of the session's process; `None`: none answers."""
        try:
            with socket.socket(socket.AF_UNIX) as link:
                link.settimeout(5)
                link.connect(str(self.socket))
                return json.loads(link.makefile().readline())["pid"]
        except (OSError, ValueError):
            return None

    def attach(self, *arguments, **size): return screens.Screen([self.winch, "attach", *arguments], self.folder, self.environment, **size)

    def fault_server(self, program):
        """Starts the server whose URLs say how it behaves; returns its origin."""
        port = self.folder / "port"
        self.servers.append(subprocess.Popen([program, "--port-file", port], stdout=subprocess.DEVNULL))
        while not port.exists(): time.sleep(0.02)
        return f"http://127.0.0.1:{port.read_text().strip()}"

    def nginx(self):
        """Starts nginx, which serves the folder `got`; returns its origin."""
        server, port = upload_servers.put(self.folder)
        self.servers.append(server)
        return f"http://127.0.0.1:{port}"

    def ssh(self):
        """Starts a server of ssh; returns options of ssh that lead to it."""
        server, port = upload_servers.sftp(self.folder)
        self.servers.append(server)
        keys = self.folder / ".ssh"
        return ["-p", str(port), "-i", str(keys / "id_rsa"), "-o", f"UserKnownHostsFile={keys / 'known_hosts'}",
                "-o", "PubkeyAcceptedAlgorithms=+ssh-rsa", "-o", "IdentitiesOnly=yes"]

    def close(self):
        if pid := self.pid: os.kill(pid, signal.SIGKILL)
        upload_servers.stop(self.servers)
        shutil.rmtree(self.folder, ignore_errors=True)


def descriptors(pid): return len(os.listdir(f"/proc/{pid}/fd"))


def local_sockets(pid):
    """How many Unix sockets a process has open: of a session one for each client, and some of its own."""
    local = {line.split()[6] for line in Path("/proc/net/unix").read_text().splitlines()[1:]}
    links = []
    for entry in os.scandir(f"/proc/{pid}/fd"):
        try: links.append(os.readlink(entry.path))
        except OSError: pass
    return sum(link[8:-1] in local for link in links if link.startswith("socket:["))


def silent_server():
    """Takes connections and never answers. Keep the first of both; the second is its origin."""
    server = socket.create_server(("127.0.0.1", 0), backlog=64)
    return server, f"http://127.0.0.1:{server.getsockname()[1]}"


class Verdict:
    """Figures and their limits, one a line. The last line says whether all were kept."""

    def __init__(self): self.failures = 0

    def check(self, what, value, limit=None, unit=""):
        """A figure that may be at most `limit`; without one, a condition that must be true."""
        isRight = bool(value) if limit is None else value <= limit
        shown = "" if limit is None else f"{value:10.2f} {unit:5} at most {limit:g}"
        self.failures += not isRight
        print(f"{'ok  ' if isRight else 'FAIL'}  {what:66}{shown}", flush=True)
        return isRight

    def end(self):
        load = " ".join(f"{value:.1f}" for value in os.getloadavg())
        print(f"{'FAILED: ' + str(self.failures) if self.failures else 'passed'} (load {load}, {os.cpu_count()} processors)")
        return 1 if self.failures else 0
