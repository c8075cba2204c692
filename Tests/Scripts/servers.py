"""What bench.py, torture.py and fuzz-session.py share: servers on loopback, terminals, sessions, tables and options."""
import argparse, fcntl, importlib.util, inspect, json, os, pty, random, re, select, shutil, signal, socket, struct, subprocess
import sys, tempfile, termios, time
from pathlib import Path

spec = importlib.util.spec_from_file_location("session_client", Path(__file__).with_name("session-client.py"))
client = importlib.util.module_from_spec(spec)
spec.loader.exec_module(client)

TUS = Path(__file__).resolve().parents[2] / ".build/tus/bin/python"
NGINX = """{user} worker_processes 1; daemon off; pid {home}/nginx.pid; error_log {home}/error.log;
events {{ worker_connections 512; }}
http {{ access_log off; keepalive_requests 1000000; client_max_body_size 0; client_body_temp_path {home}/body;
server {{ listen 127.0.0.1:{port}; root {home}/got; dav_methods PUT MKCOL; create_full_put_path on; }} {more} }}
"""
SSHD = """Port {port}; ListenAddress 127.0.0.1; HostKey {home}/host; AuthorizedKeysFile {home}/.ssh/id_rsa.pub; StrictModes no; UsePAM no;
PubkeyAcceptedAlgorithms +ssh-rsa; PidFile none; PermitRootLogin yes; MaxStartups 100; Subsystem sftp internal-sftp""".replace(";", "\n")
VSFTPD = """listen=YES listen_address=127.0.0.1 listen_port={port} background=NO run_as_launching_user=YES seccomp_sandbox=NO
local_enable=NO anonymous_enable=YES no_anon_password=YES anon_root={home} write_enable=YES anon_upload_enable=YES anon_mkdir_write_enable=YES
anon_other_write_enable=YES anon_world_readable_only=NO anon_umask=022 allow_writeable_chroot=YES
""".replace(" ", "\n")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition, what=None, seconds=20):
    """Waits for a condition and returns its value. When it does not come true: exits with `what`, or returns the value without it."""
    end = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < end: time.sleep(0.05)
    if what and not value: sys.exit(f"waited {seconds} s for {what}")
    return value


def silent_server():
    """Takes connections and never answers. Keep the first of both; the second is its origin."""
    server = socket.create_server(("127.0.0.1", 0), backlog=64)
    return server, f"http://127.0.0.1:{server.getsockname()[1]}"


def load():
    """The machine's load, for reports of measurements."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def make_files(folder, count, size):
    """Files of random bytes, named 0, 1 and so on."""
    folder.mkdir(parents=True)
    block = os.urandom(min(size, 1 << 20))
    for number in range(count):
        with open(folder / str(number), "wb") as file:
            for _ in range(max(1, size >> 20)): file.write(block)


class Home:
    """The home folder of a user, with the real servers that this user talks to.

    `put`, `sftp`, `ftp` and `tus` each start the server of that protocol (nginx, OpenSSH's, vsftpd, tuspyserver) and return its port.
    What arrives is in `got`, of tus in `tus`.
    """

    def __init__(self, bin):
        """`bin`: the folder of the built programs."""
        self.bin, self.winch, self.folder = bin, str(bin / "winch"), Path(tempfile.mkdtemp(prefix="winch-script."))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("WINCH_")}
        self.environment |= {"TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(self.folder), "NO_PROXY": "127.0.0.1",
                             "XDG_CONFIG_HOME": str(self.folder / "config")}
        self.endings = []
        self.got = self.folder / "got"
        self.got.mkdir()
        self.use_state("state")

    def __enter__(self): return self

    def __exit__(self, failure, *_):
        if pid := self.pid: os.kill(pid, signal.SIGKILL)
        for log in self.folder.glob("*.log") if failure else (): print(f"{log.name}:\n{log.read_text(errors='replace')[-2000:]}")
        for end in reversed(self.endings): end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def use_state(self, name):
        """Another folder for the state: sessions from now on know nothing of those before."""
        self.environment["XDG_STATE_HOME"] = str(self.folder / name)
        self.state = self.folder / name / "winch"
        self.socket = self.state / "session.socket"

    def run(self, *arguments):
        """Runs winch; returns what it prints."""
        done = subprocess.run([self.winch, *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=60)
        if done.returncode: raise RuntimeError(f"winch {' '.join(arguments)}: exit code {done.returncode}: {done.stderr.strip()}")
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

    def session(self): return client.Session(str(self.socket))

    def screen(self, command, **size): return Screen(command, self.folder, self.environment, **size)

    def attach(self, *arguments, **size): return self.screen([self.winch, "attach", *arguments], **size)

    def start(self, program, *arguments, port=None):
        """Returns the port when the server takes connections there."""
        path = shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin") or sys.exit(f"{program} is not installed")
        with open(self.folder / f"{Path(program).name}.log", "ab") as log:
            server = subprocess.Popen([path, *arguments], env=self.environment, stdout=log, stderr=log)
        self.endings.append(lambda: (server.terminate(), server.wait()))

        def listens():
            if server.poll() is not None: sys.exit(f"{program} does not start")
            with socket.socket() as probe: return port is None or probe.connect_ex(("127.0.0.1", port)) == 0

        until(listens, program)
        return port

    def configured(self, program, text, *arguments, port=None, **values):
        """Starts a server whose configuration is the last of its arguments."""
        path, port = self.folder / f"{program}.conf", port or free_port()
        path.write_text(text.format(home=self.folder, port=port, **values))
        return self.start(program, *arguments, str(path), port=port)

    def put(self, more=""):
        """`more`: directives for nginx's `http` block."""
        # The workers of an nginx that root starts are those of another user, who may not write here.
        return self.configured("nginx", NGINX, "-c", user="user root;" if os.getuid() == 0 else "", more=more)

    def ftp(self): return self.configured("vsftpd", VSFTPD)

    def tus(self):
        port = free_port()
        (self.folder / "tus").mkdir()
        return self.start(str(TUS), str(Path(__file__).with_name("tus-server.py")), str(port), str(self.folder / "tus"), port=port)

    def sftp(self):
        """The key of the user is in the home folder, and that of the server in known_hosts."""
        port = free_port()
        (self.folder / ".ssh").mkdir(0o700)
        for path, kind in (("host", ["ed25519"]), (".ssh/id_rsa", ["rsa", "-b", "2048", "-m", "PEM"])):
            subprocess.run(["ssh-keygen", "-q", "-N", "", "-f", self.folder / path, "-t", *kind], check=True)
        key = (self.folder / "host.pub").read_text().split()
        (self.folder / ".ssh/known_hosts").write_text(f"[127.0.0.1]:{port} {key[0]} {key[1]}\n")
        if os.getuid() == 0: os.makedirs("/run/sshd", exist_ok=True)
        return self.configured("sshd", SSHD, "-D", "-f", port=port)

    def fault_server(self):
        """Starts the server whose URLs say how it behaves; returns its origin."""
        port = free_port()
        return f"http://127.0.0.1:{self.start(str(self.bin / 'fault-server'), '--port', str(port), port=port)}"


def processor_seconds(pid):
    """User and system time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid, which="VmRSS"):
    """MiB that a process holds; VmHWM is the most it has held."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(which)).split()[1]) / 1024


def descriptors(pid): return len(os.listdir(f"/proc/{pid}/fd"))


def local_sockets(pid):
    """How many Unix sockets a process has open: of a session one for each client, and some of its own."""
    local = {line.split()[6] for line in Path("/proc/net/unix").read_text().splitlines()[1:]}
    links = []
    for entry in os.scandir(f"/proc/{pid}/fd"):
        try: links.append(os.readlink(entry.path))
        except OSError: pass
    return sum(link[8:-1] in local for link in links if link.startswith("socket:["))


class Screen:
    """A program in a pseudo-terminal."""

    def __init__(self, command, folder, environment, columns=120, rows=40):
        self.started = time.monotonic()
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.chdir(folder)
            os.execvpe(command[0], command, environment)

    def read(self, seconds):
        """What comes within so many seconds."""
        end, data = time.monotonic() + seconds, b""
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.master], [], [], left)[0]: break
            try: data += os.read(self.master, 1 << 16)
            except OSError: break
        return data

    def wait(self, text, seconds=20):
        """Seconds until the text comes, from now."""
        begin, data = time.monotonic(), b""
        while time.monotonic() - begin < seconds:
            if select.select([self.master], [], [], 0.5)[0]:
                data += os.read(self.master, 1 << 16)
                if text in data: return time.monotonic() - begin
        sys.exit(f"{Path(sys.argv[0]).name}: {text!r} does not come; got {data[-400:]!r}")

    def press(self, keys): os.write(self.master, keys)

    def time_key(self, key, shown):
        """Milliseconds from writing a key to what shows it.

        A wait of random length comes first, so that keys come at any time between two frames.
        """
        self.read(random.uniform(0.03, 0.13))
        self.press(key)
        return self.wait(shown) * 1000

    def watch(self, seconds):
        """Bytes a second, and the share of a core in percent."""
        before, begin = processor_seconds(self.pid), time.monotonic()
        count = len(self.read(seconds))
        span = time.monotonic() - begin
        return count / span, (processor_seconds(self.pid) - before) / span * 100

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)


class NatsServer:
    """With its data in a folder of a home, so that it can be started again; ends with the home."""

    def __init__(self, home, name, *arguments):
        folder, self.port = home.folder / name, free_port()
        self.url, self.log = f"nats://127.0.0.1:{self.port}", home.folder / f"{name}.log"
        home.endings.append(self.kill)
        self.command = ["nats-server", "-js", "-sd", folder, "-a", "127.0.0.1", "-p", str(self.port), *arguments]
        self.start()

    def start(self): self.process = subprocess.Popen(self.command, stderr=open(self.log, "ab"))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def ask(self, subject):
        """The answer to a request without a body; None while the server does not answer."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as link:
                link.settimeout(5)
                lines = link.makefile("rb")
                lines.readline()
                link.sendall(b'CONNECT {"verbose":false}\r\nSUB in 1\r\nPUB %s in 0\r\n\r\n' % subject.encode())
                while not (line := lines.readline()).startswith(b"MSG"):
                    if not line: return None
                    if line.startswith(b"PING"): link.sendall(b"PONG\r\n")
                return json.loads(lines.read(int(line.split()[-1])))
        except (OSError, ValueError):
            return None

    def wait(self): until(lambda: self.ask("$JS.API.INFO"), "nats-server", 30)


class Verdict:
    """Figures and their limits, one a line. The last line says whether all were kept."""

    def __init__(self): self.failures = 0

    def check(self, what, value, limit=None, unit=""):
        """A figure that may be at most `limit`; without one, a condition that must be true."""
        is_right = bool(value) if limit is None else value <= limit
        shown = "" if limit is None else f"{value:10.2f} {unit:5} at most {limit:g}"
        self.failures += not is_right
        print(f"{'ok  ' if is_right else 'FAIL'}  {what:66}{shown}", flush=True)

    def end(self):
        """Returns the exit code."""
        print(f"{'FAILED: ' + str(self.failures) if self.failures else 'passed'} ({load()})")
        return 1 if self.failures else 0


class Table:
    """Columns, each a title and the format of its values; prints a line at a time."""

    def __init__(self, *columns):
        self.formats = [form for _, form in columns]
        print("".join(f"{title:{width}}" for (title, _), width in zip(columns, self.widths())), flush=True)

    def widths(self): return [re.match(r">?\d+", form)[0] for form in self.formats]

    def row(self, *values):
        """`None` is shown as "-"."""
        print("".join(f"{'-':{width}}" if value is None else f"{value:{form}}"
                      for value, form, width in zip(values, self.formats, self.widths())), flush=True)


def run_part(description, *parts):
    """Runs the function that the first argument names, with the folder of the built programs and its options; exits with its result.

    The options of a part are the keyword arguments of its function.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = parser.add_subparsers(dest="part", required=True)
    for part in parts:
        own = names.add_parser(part.__name__, help=part.__doc__.split("\n")[0], description=inspect.getdoc(part),
                               formatter_class=argparse.RawDescriptionHelpFormatter)
        own.set_defaults(run=part)
        own.add_argument("bin", type=lambda path: Path(path).resolve(), help="the folder of the built programs")
        for name, option in list(inspect.signature(part).parameters.items())[1:]:
            own.add_argument(f"--{name}", type=type(option.default), default=option.default, help=f"{option.default} when not given")
    options = vars(parser.parse_args())
    del options["part"]
    sys.exit(options.pop("run")(**options))
