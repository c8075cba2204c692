import ArgumentParser
import FoundationEssentials
import Glibc
import WinchFleet

/// The process that owns the servers and workers of a demo; started by `winch fleet demo`.
struct FleetDemoKeeper: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-keeper", abstract: "Keeps the servers of a demo until standard input ends.",
        shouldDisplay: false)

    @Option var faultServer: String?

    private static let workers = [("alder", 3), ("birch", 4), ("cedar", 2), ("dogwood", 4)]

    func run() throws {
        // The end of the demo alone ends it.
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
        var template = Array("\(Self.temporary)/winch-fleet-demo.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ExitCode(fail("mkdtemp: \(String(cString: strerror(errno)))")) }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        var children: [SpawnedProgram] = []
        defer {
            for child in children.reversed() { child.kill() }
            for child in children { child.wait() }
            try? FileManager.default.removeItem(atPath: folder)
        }
        let server = try start(in: folder, &children)
        print(server)
        fflush(nil)
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return }
        }
    }

    private static var temporary: String {
        getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// - Returns: the URL of the NATS server.
    private func start(in folder: String, _ children: inout [SpawnedProgram]) throws -> String {
        let web = try start(
            faultServer ?? Self.beside("fault-server") ?? "fault-server", ["--port-file", folder + "/port"], &children,
            missing: "the demo needs the program fault-server; 'make fleet-demo' in winch's sources builds it")
        let nats = try start(
            Self.natsServer,
            ["-a", "127.0.0.1", "-p", "-1", "-js", "-sd", folder + "/store", "--ports_file_dir", folder], &children,
            missing: "the demo needs nats-server (Debian's package has this name)")
        let port = try ready(web, "the demo's web server") { Self.text(folder + "/port") }
        let server = try ready(nats, "nats-server") { Self.server(in: folder, nats) }
        let list = DemoList(origin: "http://127.0.0.1:\(port)").text
        guard FileManager.default.createFile(atPath: folder + "/list", contents: Data(list.utf8)) else {
            throw ExitCode(fail("\(folder): the list cannot be written"))
        }
        let common = ["--server", server, "--run", DemoScene.run]
        let submit = try start("/proc/self/exe", ["submit", "-i", folder + "/list"] + common, &children, missing: "")
        guard submit.wait() == 0 else { throw ExitCode(fail("the demo's list cannot be submitted")) }
        children.removeLast()
        for (name, jobs) in Self.workers {
            let arguments = ["work", "--name", name, "-j", "\(jobs)", "-d", "\(folder)/\(name)"] + common
            _ = try start("/proc/self/exe", arguments, &children, missing: "")
        }
        return server
    }

    private func start(
        _ program: String, _ arguments: [String], _ children: inout [SpawnedProgram], missing: String
    ) throws -> SpawnedProgram {
        guard let child = SpawnedProgram(program, arguments) else {
            let reason = "\(program): \(String(cString: strerror(errno)))"
            throw ExitCode(fail(errno == ENOENT && !missing.isEmpty ? missing : reason))
        }
        children.append(child)
        return child
    }

    /// Waits until a child has written what tells that it is ready.
    private func ready(_ child: SpawnedProgram, _ name: String, _ read: () -> String?) throws -> String {
        for _ in 0..<500 {
            if let text = read() { return text }
            guard !child.hasEnded else { break }
            usleep(20_000)
        }
        throw ExitCode(fail("\(name) does not start"))
    }

    private func fail(_ words: String) -> Int32 {
        FleetOutput.report("error: \(words)")
        return 69
    }

    /// Debian has it in a folder that not all users have in PATH.
    private static var natsServer: String {
        let usual = "/usr/sbin/nats-server"
        return access(usual, X_OK) == 0 ? usual : "nats-server"
    }

    private static func beside(_ program: String) -> String? {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = own.map { $0[...($0.lastIndex(of: "/") ?? $0.startIndex)] + program }
        return path.flatMap { access(String($0), X_OK) == 0 ? String($0) : nil }
    }

    private static func text(_ path: String) -> String? {
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        return text.flatMap { $0.hasSuffix("\n") ? String($0.dropLast()) : nil }
    }

    private struct Ports: Decodable {
        var nats: [String]
    }

    /// The file that nats-server writes when it listens.
    private static func server(in folder: String, _ child: SpawnedProgram) -> String? {
        let data = FileManager.default.contents(atPath: "\(folder)/nats-server_\(child.pid).ports")
        return data.flatMap { try? JSONDecoder().decode(Ports.self, from: $0) }?.nats.first
    }
}

/// The list of the demo: files of many sizes and rates, and some that fail.
struct DemoList {
    let origin: String

    var text: String {
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
            lines.append("\(origin)/f/\(kind.name.replacing("%", with: digits))?\(kind.options)")
            if number % 40 == 9 { lines.append("\(origin)/f/\(odd[number / 40 % odd.count])") }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
