"""nats-server, the local file server and workers of a fleet, for the scripts that torture and measure them."""
import base64, json, os, pathlib, re, signal, socket, subprocess, time, urllib.request


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class NatsServer:
    """With its data in a folder, so that it can be started again."""

    def __init__(self, folder, arguments=()):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.port, self.monitor, self.arguments = folder, free_port(), free_port(), list(arguments)
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["nats-server", "-js", "-sd", self.folder, "-a", "127.0.0.1", "-p", str(self.port), "-m", str(self.monitor),
             *self.arguments], stderr=open(self.folder.parent / f"{self.folder.name}.log", "ab"))

    @property
    def url(self):
        return f"nats://127.0.0.1:{self.port}"

    def kill(self):
        self.process.kill()
        self.process.wait()

    def ask(self, *requests):
        """The answers to requests, each a subject and a body; None while the server does not answer."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as link:
                link.settimeout(5)
                lines, answers = link.makefile("rb"), []
                lines.readline()
                link.sendall(b'CONNECT {"verbose":false}\r\nSUB in.> 1\r\n')
                for number, (subject, body) in enumerate(requests):
                    link.sendall(b"PUB %s in.%d %d\r\n%s\r\n" % (subject.encode(), number, len(body), body))
                    while not (line := lines.readline()).startswith(b"MSG"):
                        if not line:
                            return None
                        if line.startswith(b"PING"):
                            link.sendall(b"PONG\r\n")
                    answers.append(json.loads(lines.read(int(line.split()[-1]))))
                return answers
        except (OSError, ValueError):
            return None

    def info(self, stream):
        return (self.ask((f"$JS.API.STREAM.INFO.{stream}", b"")) or [{}])[0]

    def messages(self, stream):
        return self.info(stream).get("state", {}).get("messages")

    def results(self, stream, count):
        """The entries' numbers in the queue, one for each result."""
        requests = [(f"$JS.API.STREAM.MSG.GET.{stream}", json.dumps({"seq": number}).encode())
                    for number in range(1, count + 1)]
        return [json.loads(base64.b64decode(answer["message"]["data"]))["entry"]
                for answer in self.ask(*requests) if "message" in answer]

    def variables(self):
        return json.load(urllib.request.urlopen(f"http://127.0.0.1:{self.monitor}/varz"))

    def cpu(self):
        """Seconds."""
        words = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def wait(self):
        for _ in range(300):
            if self.ask(("$JS.API.INFO", b"")):
                return self
            time.sleep(0.1)
        raise SystemExit("nats-server does not answer")


def cluster(folder, count=3):
    """Servers that copy what they store to each other."""
    routes = [free_port() for _ in range(count)]
    servers = []
    for number, route in enumerate(routes):
        others = ",".join(f"nats://127.0.0.1:{other}" for other in routes if other != route)
        servers.append(NatsServer(folder / f"server{number}", [
            "--server_name", f"s{number}", "--cluster_name", "c", "--cluster", f"nats://127.0.0.1:{route}",
            "--routes", others]))
    for server in servers:
        server.wait()
    return servers


class FileServer:
    """The program fault-server."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "--port", "0"], stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"http://\S+?:\d+", self.process.stdout.readline()).group(0)

    def requests(self):
        served = json.load(urllib.request.urlopen(f"{self.address}/stats"))
        return served if isinstance(served, list) else served["requests"]

    def stop(self):
        self.process.terminate()


class Workers:
    def __init__(self, program, url, folder, count, arguments=(), is_shared=False):
        self.program, self.folder, self.arguments, self.is_shared = program, folder, list(arguments), is_shared
        self.environment = dict(os.environ, WINCH_FLEET_SERVER=url, HOME=str(folder))
        self.processes = [None] * count

    def files(self, number):
        return self.folder / ("files" if self.is_shared else f"files{number}")

    def start(self, number=None):
        for number in range(len(self.processes)) if number is None else [number]:
            self.processes[number] = subprocess.Popen(
                [self.program, "work", "-d", self.files(number), "--name", f"worker{number}", *self.arguments],
                env=self.environment, cwd=self.folder, stdout=subprocess.DEVNULL,
                stderr=open(self.folder / f"worker{number}.log", "ab"))

    def command(self, *arguments):
        return subprocess.run([self.program, *arguments], env=self.environment, check=True, capture_output=True,
                              text=True).stdout.strip()

    def kill(self, number):
        self.processes[number].kill()
        self.processes[number].wait()

    def wait(self):
        for process in self.processes:
            process.wait()

    def stop(self):
        for process in self.processes:
            if process:
                process.terminate()
        for process in self.processes:
            try:
                if process:
                    process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()


def load():
    """The machine's load, for reports of measurements."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
