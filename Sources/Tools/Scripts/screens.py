"""Runs programs in pseudo-terminals, reads what they draw, and times how soon they answer keys."""
import fcntl, os, pty, random, select, signal, struct, sys, termios, time
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    """User and system time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory(pid, which="VmRSS"):
    """MiB that a process holds; VmHWM is the most it has held."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(l for l in lines if l.startswith(which)).split()[1]) / 1024


def percentile(values, share): return sorted(values)[min(len(values) - 1, int(share * len(values)))]


class Screen:
    def __init__(self, command, cwd, environment, columns=120, rows=40):
        self.started = time.monotonic()
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.chdir(cwd)
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

    def cpu(self): return cpu_seconds(self.pid)

    def memory(self, which="VmHWM"): return memory(self.pid, which)

    def watch(self, seconds):
        """Bytes a second, and the share of a core in percent."""
        before, begin = self.cpu(), time.monotonic()
        count = len(self.read(seconds))
        span = time.monotonic() - begin
        return count / span, (self.cpu() - before) / span * 100

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)


def measure_key(screen, key, shown, before=(0.03, 0.13)):
    """Milliseconds from writing a key to what shows it.

    Before it passes a time of random length, so that keys come at any time between two frames.
    """
    screen.read(random.uniform(*before))
    screen.press(key)
    return screen.wait(shown) * 1000


def measure_keys(screen, count=400):
    """Milliseconds from writing a key that moves the selection to the cells that show it.

    The marker of the selected row is written only when it moves.
    """
    return [measure_key(screen, b"j" if number % 30 < 15 else b"k", "▸".encode()) for number in range(count)]
