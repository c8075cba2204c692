import FaultServer
import Foundation
import Glibc
import TestSupport
import Testing

/// The process of a session, and what its clients see of it.
///
/// Sensitive to time: it looks for seconds in which nothing happens.
@Suite(.serialized) struct `The process of a session`: SessionSuite {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Starts a session.
    ///
    /// - Returns: its process.
    private func serve(_ arguments: String...) async throws -> pid_t {
        let result = try await program(["serve"] + arguments).wait()
        let number = try require(result.output.firstMatch(of: /process (\d+)/)?.output.1, "\(result.errors)")
        return try require(pid_t(number))
    }

    /// Kills a session, and returns when it has ended, even if its parent has not been told yet.
    private func end(_ process: pid_t) async throws {
        kill(process, SIGKILL)
        try await eventually("the end of process \(process)") {
            let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            return status?.contains("\nState:\tZ") ?? true
        }
    }

    /// How often the threads of a process have waited for something, which is how often they were woken.
    private func waits(of process: pid_t) throws -> Int {
        var sum = 0
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task") {
            let status = try String(contentsOfFile: "/proc/\(process)/task/\(thread)/status", encoding: .utf8)
            let count = status.firstMatch(of: /\nvoluntary_ctxt_switches:\t(\d+)/)?.output.1
            sum += count.flatMap { Int($0) } ?? 0
        }
        return sum
    }

    @Test func `sleeps while nothing moves, and sends its clients nothing`() async throws {
        try await FaultServer.serving { server in
            let process = try await serve(server.url("done", "size=10"), server.url("gone", "status=404"))
            let client = try RawSessionClient(socket)
            client.introduce()
            try await status(has: "1 of 2 done, 1 failed")
            _ = client.read(seconds: 1)
            // What was begun before ends, such as the connections that are kept for a while; then five seconds are
            // quiet.
            let clock = ContinuousClock()
            try await eventually("a session that sleeps") {
                let (before, start, known) = (try waits(of: process), clock.now, client.read(seconds: 0).utf8.count)
                let after = client.read(seconds: 5).utf8.count
                let (woken, span) = (try waits(of: process) - before, start.duration(to: clock.now) / .seconds(1))
                return known > 0 && after == known && Double(woken) <= span + 1
            }
            _ = try await winch("stop")
        }
    }

    @Test func `leaves a socket when it is killed, which the next one replaces, and a list that goes on`() async throws
    {
        try await FaultServer.serving { server in
            let process = try await serve(server.url("slow", "size=3000000", "ratefirst=300000", "rate=1500000"))
            try await folder.wait(for: "slow.part", toHave: 300_000)
            try await end(process)
            expect(folder.exists("state/session.socket"))
            try await expectEqual(winch("status").code, 69)
            try await expect(serve("--until-done") != process)
            try await eventually("the file") { folder.exists("slow") }
            try folder.expectSeeded("slow", size: 3_000_000)
            expect(server.requests.filter { $0.path == "/f/slow" }.last?.range != nil, "it goes on from its last byte")
        }
    }

    @Test func `has its list in the ledger when the shell is back`() async throws {
        try folder.write((0..<3000).map { "http://127.0.0.1:9/\($0)\n" }.joined(), to: "list")
        try await end(serve("-i", "list"))
        _ = try await serve()
        let transfers = try await report()["transfers"] as? [Any]
        _ = try await winch("stop")
        expectEqual(transfers?.count, 3000)
    }

    @Test func `shows the same in two dashboards, each with its own selection`() async throws {
        try await FaultServer.serving { server in
            _ = try await serve(
                server.url("one", "size=400M", "rate=100000"), server.url("two", "size=400M", "rate=100000"))
            let (first, second) = (
                try await Tmux(folder, columns: 90, rows: 20), try await Tmux(folder, columns: 90, rows: 20)
            )
            for terminal in [first, second] {
                try await terminal.winch("attach --state-dir \(folder.path("state")); echo left-$?")
                try await terminal.wait(for: "two")
            }
            try await first.type("jp")
            for terminal in [first, second] { try await terminal.wait(for: "paused") }
            try await second.type("p")
            for terminal in [first, second] {
                try await terminal.wait(for: "the first row to be paused") { screen in
                    screen.contains { $0.contains("one") && $0.contains("paused") }
                }
            }
            try await first.type("q")
            try await first.wait(for: "left-0")
            try await second.type("Qy")
            try await second.wait(for: "the session was stopped; partial files are kept")
            try await second.wait(for: "left-0")
            try await expectEqual(winch("status").code, 69)
        }
    }

    @Test func `says to a dashboard what has become of its list when it ends by itself`() async throws {
        try await FaultServer.serving { server in
            _ = try await serve(
                "--until-done", "--hold", server.url("one", "size=10"), server.url("gone", "status=404"))
            let terminal = try await Tmux(folder)
            try await terminal.winch("attach --state-dir \(folder.path("state")); echo left-$?")
            try await terminal.wait(for: "gone")
            try await expectEqual(winch("resume", "--all").code, 0)
            try await terminal.wait(for: "nothing more to do: 1 of 2 done, 1 failed")
            try await terminal.wait(for: "left-0")
        }
    }

    /// The kernel goes on telling of a client that cannot be accepted.
    @Test func `waits when it has no descriptor for a client, and takes it as soon as it has one`() async throws {
        let process = try await serve()
        // By then its start is over, and those are closed that it needed for it. Dispatch opens its timers when it first needs
        // them, and ends the process when it cannot.
        try await expectEqual(winch("status").code, 0)
        var numbers: [Int] = []
        try await eventually("the same descriptors twice") {
            let before = numbers
            numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").compactMap { Int($0) }
            if numbers != before { try await Task.sleep(for: .seconds(2)) }
            return numbers == before
        }
        let free = try require((0...).first { !numbers.contains($0) })
        try await InstalledTool.run("/usr/bin/prlimit", ["--pid", "\(process)", "--nofile=\(free):"])
        let client = try RawSessionClient(socket)
        client.introduce()
        let start = try ticks(of: process)
        expect(!client.read(until: "protocol", seconds: 2).contains("protocol"))
        // A process that does not wait takes some 200.
        try expectLess(ticks(of: process) - start, than: 50)
        try await InstalledTool.run("/usr/bin/prlimit", ["--pid", "\(process)", "--nofile=1024:"])
        expect(client.read(until: "protocol").contains("protocol"))
        try await expectEqual(winch("stop").code, 0)
    }

    /// Of processor time, in hundredths of a second.
    private func ticks(of process: pid_t) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
    }
}
