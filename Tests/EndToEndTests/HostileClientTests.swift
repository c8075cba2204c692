import Foundation
import Glibc
import TestSupport
import Testing

/// What other processes may do to a session.
///
/// Sensitive to time: thousands of connections come and go.
@Suite(.serialized) struct `A session among hostile clients`: SessionSuite {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// The whole of the list, as a good client sees it.
    private func expectAnswer(location: SourceLocation = #_sourceLocation) async throws {
        let answer = try await winch("status")
        expectEqual(answer.code, 0, "\(answer.errors)", sourceLocation: location)
    }

    private func pid() throws -> Int32 {
        let greeting = try RawSessionClient(socket).read(until: "\n")
        let object = try JSONSerialization.jsonObject(with: Data(greeting.utf8)) as? [String: Any]
        return Int32(try (object?["pid"] as? Int).unwrapped("a pid: \(greeting)"))
    }

    /// MiB that the session has held at most.
    private func peak(of pid: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = try status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }.unwrapped("VmHWM")
        return (line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0) / 1024
    }

    @Test func `answers what is no request, and goes on`() async throws {
        try await expectEqual(winch("serve").code, 0)
        let client = try RawSessionClient(socket)
        client.introduce()
        // One bracket more than are decoded, and a CR at the end.
        let brackets = [513, 100_000].map { String(repeating: "[", count: $0) }
        for line in ["{", "[]", "null", "\"", "{\"n\":1}", "[\r", "\u{0}\u{1b}[31m"] + brackets { client.send(line) }
        client.send("{\"n\":2,\"do\":\"dance\"}")
        client.send("{\"n\":3,\"do\":\"pause\",\"ids\":[4611686018427387904]}")
        client.send("{\"n\":4,\"do\":\"limit\",\"rate\":-5}")
        client.send("{\"n\":5,\"do\":\"add\",\"batch\":7}")
        client.send("{\"n\":6,\"do\":\"unfollow\"}")
        let answers = client.read(until: "{\"reply\":{\"n\":6}}")
        expect(answers.contains("{\"reply\":{\"n\":6}}"))
        expectEqual(answers.components(separatedBy: "this is no request").count, 9, "\(answers)")
        expect(answers.contains("may have a NUL"), "\(answers)")
        expect(answers.contains("unknown request \\\"dance\\\""), "\(answers)")
        expect(client.read(until: "there is no transfer").contains("there is no transfer 4611686018427387904"))
        expect(answers.contains("is more than 0"), "\(answers)")
        expect(answers.contains("\\\"add\\\" lacks something"), "\(answers)")

        let other = try RawSessionClient(socket)
        other.send("{\"hello\":7,\"client\":\"tomorrow\"}")
        expect(other.read().contains("tomorrow speaks version 7 of the protocol"))
        let rude = try RawSessionClient(socket)
        rude.send("GET / HTTP/1.1")
        expect(rude.read().contains("the first line is no introduction"))
        try await expectAnswer()
        try await expectEqual(winch("stop").code, 0)
    }

    @Test func `closes a line without end and a client that reads nothing, within bounds`() async throws {
        try await expectEqual(winch("serve").code, 0)
        let pid = try pid()
        let before = try peak(of: pid)
        let long = try RawSessionClient(socket)
        long.introduce()
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        var sent = 0
        while sent < 100, long.send(piece) { sent += 1 }
        expect(long.read().contains("a line is longer than 4194304 bytes"))

        let deaf = try RawSessionClient(socket)
        deaf.introduce()
        var asked = 0
        while asked < 10_000, deaf.send(String(repeating: "{\"n\":1,\"do\":\"dance\"}\n", count: 100)) { asked += 1 }
        try expectLess(peak(of: pid) - before, than: 24)
        expect(deaf.read().contains("too many lines were not read"))

        // Half a line, and its end without the other half.
        let half = try RawSessionClient(socket)
        half.introduce()
        half.send(Array("{\"n\":1,\"do\":\"st".utf8))
        try await expectAnswer()
        half.endInput()
        expect(!half.read().contains("reply"))
        try await expectAnswer()
        try await expectEqual(winch("stop").code, 0)
    }

    @Test func `has 64 clients at most, and bears 2000 connections`() async throws {
        try await expectEqual(winch("serve").code, 0)
        let pid = try pid()
        var clients: [RawSessionClient] = []
        for _ in 0..<64 {
            let client = try RawSessionClient(socket)
            client.introduce()
            clients.append(client)
        }
        for client in clients { _ = client.read(until: "\n") }
        try expect(RawSessionClient(socket).read().contains("the session has 64 clients already"))
        let refused = try await winch("status")
        expect(
            refused.code == 69 && refused.errors.contains("64 clients already"), "\(refused.code) \(refused.errors)")
        let listed = try await winch("sessions")
        expect(
            listed.code == 69 && listed.errors.contains("(default): the session"), "\(listed.code) \(listed.errors)")
        for number in 0..<2000 {
            let client = try RawSessionClient(socket)
            if number % 3 == 0 { client.introduce() }
            clients.append(client)
            if clients.count > 100 { clients.remove(at: 64) }
        }
        clients = []
        try await eventually("an answer") { try await winch("status").code == 0 }
        try await eventually("less than 60 descriptors") {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count < 60
        }
        try expectLess(peak(of: pid), than: 100)
        try await expectEqual(winch("stop").code, 0)
    }

    @Test func `answers a client that has ended its input`() async throws {
        try await expectEqual(winch("serve", "http://127.0.0.1:9/a").code, 0)
        let client = try RawSessionClient(socket)
        client.introduce()
        client.send("{\"n\":1,\"do\":\"add\",\"batch\":\"http://127.0.0.1:9/b\",\"folder\":\"/tmp\"}")
        client.send("{\"n\":2,\"do\":\"status\"}")
        client.endInput()
        let answers = client.read()
        expect(answers.contains("1 added") && answers.contains("{\"reply\":{\"n\":2}}"), "\(answers)")
        try await expectEqual(winch("stop").code, 0)
    }

    @Test func `keeps what it has acknowledged, even if it is killed at once`() async throws {
        for number in 0..<2 {
            try await expectEqual(winch("serve").code, 0)
            let pid = try pid()
            let client = try RawSessionClient(socket)
            client.introduce()
            client.send("{\"n\":1,\"do\":\"add\",\"batch\":\"http://127.0.0.1:9/kept\(number)\",\"folder\":\"/tmp\"}")
            expect(client.read(until: "\"reply\"").contains("1 added"))
            kill(pid, SIGKILL)
            _ = client.read()
        }
        try await expectEqual(winch("serve").code, 0)
        let list = try await winch("status").output
        for number in 0..<2 { expect(list.contains("kept\(number)"), "\(list)") }
        try await expectEqual(winch("stop").code, 0)
    }

    /// Only root can be another user.
    @Test(.enabled(if: geteuid() == 0)) func `refuses other users, in words`() async throws {
        try await expectEqual(winch("serve").code, 0)
        let script =
            "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); print(s.recv(999).decode())"
        func other() async throws -> String {
            let words = ["--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", script, socket]
            return try await InstalledTool.outcome("/usr/bin/setpriv", words).output
        }
        try await expect(other().contains("Permission denied"))
        // Even where the user has opened the folder and the socket.
        chmod(folder.path("state"), 0o755)
        chmod(socket, 0o666)
        let answer = try await other()
        expectEqual(answer, "{\"closing\":\"the session is that of another user\"}\n\n", "\(answer)")
        try await expectAnswer()
        try await expectEqual(winch("stop").code, 0)
    }

    @Test func `bears lines by a grammar of the protocol, and noise`() async throws {
        let script = TusServer.project.appending(path: "Tests/Scripts/fuzz-session.py").path
        let run = try await InstalledTool.run(
            "/usr/bin/env", ["python3", script, "session", Product.folder.path, "--seconds", "2"])
        expect(run.contains("passed"), "\(run)")
    }
}
