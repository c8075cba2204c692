#!/usr/bin/env python3
"""Runs the built tests and prints a verdict that one can read.

The suites are divided into batches, each a process. Most tests wait for servers, programs and clocks most of the time, so LANES of
them run at a time. Pure tests keep a core busy: one process at a time runs them beside the others, and all lanes what is left of
them. What failed runs once more alone at the end: a test that passes then is printed as unsteady, and more than two of these fail
the run.
"""
import argparse
import collections
import json
import os
import queue
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

BUNDLE = ".build/tested/release/winchPackageTests.xctest"
LANES = 7
PURE = "WinchModel WinchBatch WinchHTTP WinchListing WinchSSH WinchProgress WinchQueue WinchScreen WinchReplay Hashing Fuzz".split()
# Tests a process runs one after the other. Its start takes 0.4 s of a core, in which it finds all tests; but the last process is
# to end with the others, and end-to-end tests are long.
BATCH = {"EndToEnd": 12, "FaultSuite": 6, "pure": 120}
USUAL_BATCH = 40
MOST_UNSTEADY = 2


def group_of(test):
    module = test.split(".", 1)[0]
    name = module.removesuffix("Tests")
    return "pure" if name in PURE else name


class Runner:
    def __init__(self, patience, tells_at_once=False):
        self.patience = patience
        self.tells_at_once = tells_at_once
        self.lock = threading.Lock()
        self.seconds = {}
        self.failures = {}
        self.skipped = {}
        self.spans = collections.defaultdict(list)

    def command(self, *arguments):
        return [BUNDLE, "--testing-library", "swift-testing", *arguments]

    def list(self):
        out = subprocess.run(self.command("--list-tests"), capture_output=True, text=True, check=True).stdout
        return [line for line in out.splitlines() if "." in line]

    def run(self, filters, tests):
        """Runs what matches; what a crash or a hang left out runs anew, without the test that caused it."""
        began = time.monotonic()
        left = set(tests)
        while left:
            ended, culprit, words = self.process(filters)
            left -= ended
            if culprit is None:
                # Parameterized or renamed tests that the process did not know would be left silently.
                for test in left:
                    self.fail(test, "was listed, but did not run" + words)
                break
            self.fail(culprit, words)
            left.discard(culprit)
            filters = exact(left)
        with self.lock:
            self.spans[group_of(tests[0])].append((began, time.monotonic()))

    def fail(self, test, words):
        with self.lock:
            self.failures.setdefault(test, []).append(words)

    def process(self, filters):
        """Returns the tests that ended, the one that ended the process or None, and what there is to say."""
        with tempfile.TemporaryDirectory() as folder:
            stream = os.path.join(folder, "events")
            output = open(os.path.join(folder, "output"), "w+", errors="replace")
            arguments = ["--event-stream-output-path", stream, "--event-stream-version", "0", "--no-parallel"]
            for one in filters:
                arguments += ["--filter", one]
            process = subprocess.Popen(
                self.command(*arguments), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True)
            code = self.wait(process, stream)
            end_session(process.pid)
            process.wait()
            ended, running, is_whole = self.take(stream)
            if is_whole and code is not None:
                return ended, None, f" (exit code {code})"
            output.seek(0)
            tail = "\n".join(output.read().splitlines()[-15:])
            why = f"hung for {self.patience} s" if code is None else f"the process crashed ({code})"
            culprit = running[0] if running else "a process with the filters " + " ".join(filters)[:200]
            return ended, culprit, f"{why}:\n{tail}"

    def wait(self, process, stream):
        """Returns the exit code, or None for a process that hangs."""
        end = time.monotonic() + self.patience
        told = 0
        while time.monotonic() < end:
            try:
                return process.wait(min(1, max(0, end - time.monotonic())))
            except subprocess.TimeoutExpired:
                if self.tells_at_once:
                    told = self.tell(stream, told)
        return None

    def tell(self, stream, start):
        """Prints what has failed since the stream had `start` bytes, and returns how many it has now."""
        if not os.path.exists(stream):
            return start
        with open(stream, "rb") as file:
            file.seek(start)
            lines = file.read()
        # The last line may be half written.
        lines = lines[: lines.rfind(b"\n") + 1]
        for line in lines.splitlines():
            words = issue(json.loads(line))
            if words is not None:
                print(words, flush=True)
        return start + len(lines)

    def take(self, stream):
        started, ended, is_whole = {}, set(), False
        functions = set()
        for line in open(stream) if os.path.exists(stream) else []:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            load = record["payload"]
            kind = load.get("kind")
            test = strip(load.get("testID") or load.get("id") or "")
            if record["kind"] == "test":
                if kind == "function":
                    functions.add(test)
            elif kind == "runEnded":
                is_whole = True
            elif kind == "testSkipped":
                reason = " ".join(m["text"] for m in load.get("messages", []))
                with self.lock:
                    self.skipped[test] = reason
                ended.add(test)
            elif kind == "issueRecorded":
                words = issue(record)
                if words is not None:
                    self.fail(test, words)
            elif test in functions and kind == "testStarted":
                started[test] = load["instant"]["absolute"]
            elif test in functions and kind == "testEnded":
                ended.add(test)
                with self.lock:
                    self.seconds[test] = load["instant"]["absolute"] - started.get(test, load["instant"]["absolute"])
        return ended, [test for test in started if test not in ended], is_whole


def issue(record):
    """What a record of the stream says has failed, or None."""
    load = record["payload"]
    found = load.get("issue", {})
    if load.get("kind") != "issueRecorded" or found.get("isKnown") or found.get("isFailure") is False:
        return None
    place = found.get("sourceLocation") or {}
    where = f"{place.get('fileID', '?')}:{place.get('line', '?')}: "
    return where + "\n".join(m["text"] for m in load.get("messages", []))[:1500]


def end_session(session):
    """Kills what a process has started in its session, such as servers that live as long as it."""
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and int(open(f"/proc/{entry}/stat").read().rsplit(")", 1)[1].split()[3]) == session:
                os.kill(int(entry), signal.SIGKILL)
        except (OSError, IndexError):
            # It has ended meanwhile.
            continue


def strip(test):
    """Without the place in the source that the identifiers of a stream end in."""
    return re.sub(r"/[^/`]+\.swift:\d+:\d+$", "", test)


def pattern(name):
    """A regular expression for a name; Swift's parser knows no escaped blanks and grave accents."""
    return re.escape(name).replace("/", "\\/").replace("\\`", "`").replace("\\ ", " ")


def exact(tests):
    return ["^" + pattern(test) + "(/|$)" for test in tests]


def within(suite):
    return "^" + pattern(suite) + "(/|$)"


def batches(tests):
    suites = collections.defaultdict(list)
    for test in tests:
        suites[test.split("/", 1)[0]].append(test)
    # The end-to-end suites first: they are the longest.
    rank = ["EndToEnd", "FaultSuite", "WinchTransport", "WinchFleet"]
    order = sorted(
        suites.items(), key=lambda item: rank.index(group_of(item[0])) if group_of(item[0]) in rank else len(rank))
    batch, names = [], []
    for suite, own in order:
        group = group_of(suite)
        if batch and (len(batch) + len(own) > BATCH.get(group, USUAL_BATCH) or group_of(batch[0]) != group):
            yield names, batch
            batch, names = [], []
        batch, names = batch + own, names + [suite]
    if batch:
        yield names, batch


def changed_modules():
    """The test modules of what differs from the last commit, or of the last commit where nothing does."""
    def git(*arguments):
        return subprocess.run(["git", *arguments], capture_output=True, text=True).stdout.splitlines()

    paths = git("diff", "--name-only", "HEAD") + git("ls-files", "--others", "--exclude-standard")
    modules = set()
    for path in paths or git("diff", "--name-only", "HEAD~1"):
        parts = path.split("/")
        if len(parts) < 3 or parts[0] not in ("Sources", "Tests"):
            continue
        name = {"winch": "WinchCommand", "winch-fleet": "WinchFleet", "CTransport": "WinchTransport",
                "CSession": "WinchSession", "CTerminal": "WinchTerminal", "CHashing": "Hashing"}.get(parts[1], parts[1])
        modules.add(name.removesuffix("Tests"))
    return modules - {"EndToEnd"} | {"pure"}


def steady(runner, tests, rounds):
    """Runs the tests that are marked as sensitive to time, beside one busy loop a core, and tells which are unsteady."""
    marked = set()
    for folder, _, files in os.walk("Tests"):
        for file in files:
            if file.endswith(".swift"):
                text = open(os.path.join(folder, file)).read()
                module = folder.split(os.sep)[1]
                for suite in re.findall(r"/// Sensitive to time: [^{]*?struct (`[^`]+`|\w+)", text):
                    marked.add(f"{module}.{suite}/")
    tests = [test for test in tests if any(test.startswith(suite) for suite in marked)]
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 2)]
    failed = collections.Counter()
    words = {}
    try:
        for number in range(rounds):
            runner.failures = {}
            run_batches(runner, tests, None)
            failed.update(runner.failures)
            words.update({test: found[0] for test, found in runner.failures.items()})
            print(f"round {number + 1} of {rounds}: {len(tests) - len(runner.failures)} passed, {len(runner.failures)} failed", flush=True)
    finally:
        for loop in loops:
            loop.kill()
    for test, count in failed.most_common():
        print(f"unsteady: {test}: {count} of {rounds}\n    {words[test][:400]}")
    print(f"{len(tests) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


def run_batches(runner, tests, match):
    pure, others = queue.Queue(), queue.Queue()
    for names, batch in batches(tests):
        (pure if group_of(batch[0]) == "pure" else others).put((names, batch))

    def lane(*works):
        for work in works:
            while True:
                try:
                    names, batch = work.get_nowait()
                except queue.Empty:
                    break
                runner.run(exact(batch) if match else [within(name) for name in names], batch)
                for test in batch:
                    if test in runner.failures:
                        print(f"failed at first: {test}", flush=True)

    lanes = [threading.Thread(target=lane, args=[others, pure]) for _ in range(LANES)]
    lanes.append(threading.Thread(target=lane, args=[pure]))
    for thread in lanes:
        thread.start()
    for thread in lanes:
        thread.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changed", action="store_true", help="only the pure modules and those that were changed")
    parser.add_argument("--steady", type=int, metavar="ROUNDS", help="repeat what is sensitive to time, under load")
    parser.add_argument("--match", help="only tests with this in their names")
    parser.add_argument("--patience", type=int, default=420, help="seconds after which a process hangs")
    options = parser.parse_args()
    os.environ["NO_COLOR"] = "1"
    # make passes it on empty where no seed is given. What fails with one must not pass with another when it runs once more.
    if os.environ.get("WINCH_SEED") == "":
        os.environ["WINCH_SEED"] = str(random.randint(1, 999_999))
    # A shell's job in the background ignores the first two, that of nohup the third, and so would all that the tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    # A test that is run for hours names a failure when it happens.
    runner = Runner(options.patience, tells_at_once=options.match is not None)
    began = time.monotonic()
    tests = runner.list()
    if options.steady:
        sys.exit(steady(runner, tests, options.steady))
    if options.match:
        tests = [test for test in tests if options.match in test]
    if options.changed:
        wanted = changed_modules()
        tests = [test for test in tests if group_of(test) in wanted]
    run_batches(runner, tests, options.match)
    sys.exit(verdict(runner, tests, time.monotonic() - began))


def verdict(runner, tests, elapsed):
    # What failed, alone: a test that passes now depends on something besides the program.
    unsteady = []
    first, runner.failures = runner.failures, {}
    first_seconds = dict(runner.seconds)
    for test in sorted(first):
        if test in tests:
            runner.run(exact([test]), [test])
            if test not in runner.failures:
                unsteady.append(test)
    failed = [test for test in first if test not in unsteady]
    for test, words in sorted(first.items()):
        print(f"\n{'unsteady' if test in unsteady else 'FAILED'}: {test}")
        for one in words[:6]:
            print("    " + one.replace("\n", "\n    "))
    if runner.skipped:
        print("\nskipped:")
        for test, reason in sorted(runner.skipped.items()):
            print(f"    {test}: {reason}")
    print("\nthe ten slowest tests:")
    for test, seconds in sorted(first_seconds.items(), key=lambda item: -item[1])[:10]:
        print(f"    {seconds:6.1f} s  {test}")
    print(f"\n{'group':20} {'tests':>6} {'seconds':>8}  verdict")
    counts = collections.Counter(group_of(test) for test in tests)
    for group, count in counts.most_common():
        bad = sum(group_of(test) == group for test in failed)
        busy = sum(end - start for start, end in runner.spans[group])
        print(f"{group:20} {count:6} {busy:8.1f}  {'passed' if not bad else f'{bad} FAILED'}")
    for test in unsteady:
        print(f"unsteady: {test}")
    if not tests:
        print("no test was found")
        return 1
    if len(unsteady) > MOST_UNSTEADY:
        print(f"{len(unsteady)} tests are unsteady: more than {MOST_UNSTEADY} fail the run")
    print(f"all tests: {elapsed:.0f} s")
    skipped = sum(test in tests for test in runner.skipped)
    missing = len(failed)
    print(f"{len(tests) - missing - skipped} passed, {missing} failed, {skipped} skipped")
    return 1 if failed or len(unsteady) > MOST_UNSTEADY else 0


if __name__ == "__main__":
    main()
