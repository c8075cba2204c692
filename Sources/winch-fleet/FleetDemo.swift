import ArgumentParser
import Glibc
import WinchFleet
import WinchModel
import WinchTerminal

struct FleetDemo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Shows a fleet of four workers on this machine, with a server of its own.",
        discussion: """
            Starts nats-server with JetStream and a web server that misbehaves on demand on 127.0.0.1, and removes \
            all that it has made when you leave with q. Needs nats-server, and the program fault-server of winch's sources: \
            'make fleet-demo' builds it and shows the demo.
            """)

    @OptionGroup var look: FleetLookOptions

    @Option(
        help: ArgumentHelp(
            "The program fault-server; else the one beside this program, or in PATH.", valueName: "FILE"),
        completion: .file())
    var faultServer: String?

    func run() throws {
        guard isatty(STDOUT_FILENO) != 0 else { throw ValidationError("winch fleet demo needs a terminal") }
        let scene = try DemoScene(faultServer: faultServer)
        defer { scene.close() }
        try FleetDashboard(look: look).show(ServerChoice(scene.server), run: "demo")
    }
}

/// The servers and workers of a demo. They belong to a shell, which ends them and removes their files when this process has ended,
/// however that happens: it reads from a pipe until that is closed.
private struct DemoScene {
    /// The URL of its NATS server.
    let server: String
    private let shell: pid_t
    /// The end of the pipe that tells the shell that this process is there.
    private let pipe: Int32

    /// `POSIX_SPAWN_SETSID` of glibc, which Swift does not import.
    private static let newSession: Int16 = 0x80

    init(faultServer: String?) throws {
        var (life, words): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard Glibc.pipe(&life) == 0, Glibc.pipe(&words) == 0 else { throw Self.fault(errno) }
        // Else the shell would itself hold the pipe open whose end it waits for.
        for number in life + words { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        let program = ProcessTexts.program ?? "winch-fleet"
        shell = try Self.spawn(
            ["/bin/sh", "-c", Self.script, "sh", program, faultServer ?? "", Self.list], input: life[0],
            output: words[1])
        Glibc.close(life[0])
        Glibc.close(words[1])
        pipe = life[1]
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while text.last != UInt8(ascii: "\n") {
            let count = read(words[0], &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { break }
            text.append(byte)
        }
        Glibc.close(words[0])
        guard text.popLast() == UInt8(ascii: "\n") else {
            // It has said why on standard error.
            Glibc.close(life[1])
            throw ExitCode(Self.wait(for: shell))
        }
        server = String(decoding: text, as: UTF8.self)
    }

    /// Ends the servers and workers, and waits until their files are removed.
    func close() {
        Glibc.close(pipe)
        _ = Self.wait(for: shell)
    }

    /// - Returns: the exit code; of one that a signal has ended 128 and more.
    private static func wait(for pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    private static func fault(_ code: Int32) -> FleetFault {
        .badValue("the demo cannot start: \(String(cString: strerror(code)))")
    }

    /// In a session of its own, so that no terminal sends it signals.
    private static func spawn(_ words: [String], input: Int32, output: Int32) throws(FleetFault) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process has blocked the signals that its dashboard reads.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | newSession)
        var texts = words.map { strdup($0.cBytes) } + [nil]
        defer { texts.forEach { free($0) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, words[0], &actions, &attributes, &texts, environ)
        guard code == 0 else { throw fault(code) }
        return pid
    }

    /// Prints the URL of the NATS server, and ends all when its input ends. Its arguments are `winch-fleet`, `fault-server` or
    /// nothing, and the list.
    private static let script = #"""
        trap '' INT TERM HUP
        self=$1 web=$2 list=$3 children=
        folder=$(mktemp -d "${TMPDIR:-/tmp}/winch-fleet-demo.XXXXXX") || exit 69
        end() { kill -9 $children 2>/dev/null; wait; rm -rf "$folder"; exit "$1"; }
        fail() { echo "winch: error: $1" >&2; end 69; }
        start() { "$@" </dev/null >/dev/null 2>&1 & last=$!; children="$children $last"; }
        await() {
            for try in $(seq 500); do
                grep -qs . "$1" && return
                sleep 0.02
            done
            fail "$2 does not start"
        }
        if test -z "$web"; then web=${self%/*}/fault-server; test -x "$web" || web=fault-server; fi
        command -v "$web" >/dev/null ||
            fail "the demo needs the program fault-server; 'make fleet-demo' in winch's sources builds it"
        # Debian has it in a folder that not all users have in PATH.
        nats=/usr/sbin/nats-server; test -x $nats || nats=nats-server
        command -v $nats >/dev/null || fail "the demo needs nats-server (Debian's package has this name)"
        start "$web" --port-file "$folder/port"
        await "$folder/port" "the demo's web server"
        start $nats -a 127.0.0.1 -p -1 -js -sd "$folder/store" --ports_file_dir "$folder"
        await "$folder/nats-server_$last.ports" nats-server
        server=$(grep -o 'nats://[^"]*' "$folder/nats-server_$last.ports" | head -n 1)
        run="--server $server --run demo"
        printf %s "$list" | sed "s|ORIGIN|http://127.0.0.1:$(cat "$folder/port")|" |
            "$self" submit -i - $run >/dev/null || fail "the demo's list cannot be submitted"
        for worker in alder:3 birch:4 cedar:2 dogwood:4; do
            start "$self" work --name ${worker%:*} -j ${worker#*:} -d "$folder/${worker%:*}" $run
        done
        echo "$server"
        exec >/dev/null
        cat
        end 0
        """#

    /// Files of many sizes and rates, and some that fail.
    private static var list: String {
        let kinds: [(name: String, options: String)] = [
            ("photo-%.jpg", "size=3M&rate=700K"), ("track-%.flac", "size=24M&rate=2M"),
            ("page-%.html", "size=60K&rate=40K"),
            ("lecture-%.mkv", "size=80M&rate=5M"), ("chapter-%.pdf", "size=6M&rate=900K"),
            ("data-%.csv.gz", "size=12M&rate=1500K"),
            ("sample-%.wav", "size=9M&rate=1200K&latency=1.5"),
        ]
        let odd = [
            "missing-report.pdf?status=404", "private-notes.txt?status=403", "broken-link.zip?status=410",
            "flaky-archive.tar.gz?size=20M&rate=2M&dropfirst=6M",
        ]
        var lines: [String] = []
        for number in 1...280 {
            let kind = kinds[number % kinds.count]
            let digits = "\(1000 + number)".dropFirst()
            lines.append("ORIGIN/f/\(kind.name.replacing("%", with: digits))?\(kind.options)")
            if number % 40 == 9 { lines.append("ORIGIN/f/\(odd[number / 40 % odd.count])") }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
