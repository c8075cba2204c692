import FaultServer
import Foundation

/// Runs the cases, several at a time and in their order, and keeps their verdicts.
package struct Table: Sendable {
    private let verdicts: [String: Task<Verdict, Never>]

    /// - Parameters:
    ///   - winch: path of the built program.
    ///   - jobs: cases at a time.
    package init(_ cases: [FaultCase], winch: String, jobs: Int) {
        var tasks: [Task<Verdict, Never>] = []
        for (index, faultCase) in cases.enumerated() {
            let before = index < jobs ? nil : tasks[index - jobs]
            tasks.append(
                Task {
                    _ = await before?.value
                    return await Trial(faultCase: faultCase, winch: winch).verdict()
                })
        }
        verdicts = Dictionary(zip(cases.map(\.name), tasks)) { first, _ in first }
    }

    /// Waits until the case has ended.
    package func verdict(on faultCase: FaultCase) async -> Verdict {
        await verdicts[faultCase.name]?.value ?? .wrong("not in the table")
    }
}

/// Prepares the scratch folder of a case, runs the program, and judges the result.
struct Trial: Sendable {
    let faultCase: FaultCase
    let winch: String
    /// Seconds after which a run counts as hung.
    private static let timeout = 40.0

    func verdict() async -> Verdict {
        do {
            return try await FaultServer.serving { server in
                try await FaultServer.serving { other in try await verdict(server, other) }
            }
        } catch let impossible as Wrapping.Impossible {
            return .skipped(impossible.reason)
        } catch {
            return .wrong("not tried: \(error)")
        }
    }

    private func verdict(_ server: FaultServer, _ other: FaultServer) async throws -> Verdict {
        let scratch = try Scratch()
        var secure: SecureServer?
        if case .secure(let answers) = faultCase.testEnvironment {
            let filled = answers.mapValues { $0.replacing("{server}", with: server.origin) }
            secure = try await SecureServer(filled, in: scratch)
        }
        let places = try await Places(faultCase, server: server, other: other, scratch: scratch, secure: secure?.origin)
        let late = places.startLateServer()
        let verdict = try await tried(scratch, places, server, other)
        late?.cancel()
        await late?.value
        await secure?.stop()
        return verdict
    }

    private func tried(_ scratch: Scratch, _ places: Places, _ server: FaultServer, _ other: FaultServer) async throws
        -> Verdict
    {
        for fixture in faultCase.before { try scratch.create(fixture, places.fill) }
        if let batch = faultCase.batch { try scratch.write(places.fill(batch), to: "batch.urls") }
        let wrapping = try await Wrapping.of(faultCase.testEnvironment, in: scratch)
        let started = ContinuousClock.now
        var codes: [Int32?] = []
        var beside: [Child] = []
        let arguments = arguments(places)
        for run in faultCase.runs {
            let all = wrapping.words + [winch] + arguments
            let child = try Child(
                all[0], Array(all.dropFirst()), in: scratch.path, environment: Self.environment(scratch),
                streams: .together(scratch["output"]))
            switch run.end {
            case .itself: codes.append(try await child.end(within: Self.timeout))
            case .signal(let number, let bytes):
                try await waitFor(bytes, of: child, in: scratch)
                child.signal(number)
                codes.append(try await child.end(within: 10))
            case .keepsRunning(let bytes):
                try await waitFor(bytes, of: child, in: scratch)
                beside.append(child)
                codes.append(0)
            }
        }
        for child in beside { _ = try await child.end(within: Self.timeout) }
        let evidence = Evidence(
            codes: codes, output: scratch.text("output"), seconds: (ContinuousClock.now - started) / .seconds(1),
            server: server.requests, other: other.requests, results: wrapping.results, scratch: scratch)
        return evidence.verdict(on: faultCase)
    }

    private func arguments(_ places: Places) -> [String] {
        var words = ["--output", "plain", "-d", "got", "--retry-wait", "0.05"] + faultCase.options.flatMap(\.words)
        for (option, value) in [("--max-tries", "3"), ("--timeout", "4")] where !words.contains(option) {
            words += [option, value]
        }
        if faultCase.batch != nil { words += ["-i", "batch.urls"] }
        return (words + faultCase.urls.map(places.url)).map(places.fill)
    }

    private static func environment(_ scratch: Scratch) -> [String: String] {
        [
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "HOME": scratch["home"],
            "XDG_STATE_HOME": scratch["state"], "XDG_CONFIG_HOME": scratch["config"],
        ]
    }

    /// Waits until the run has written this many bytes or has ended.
    private func waitFor(_ bytes: Int64, of child: Child, in scratch: Scratch) async throws {
        let deadline = ContinuousClock.now + .seconds(Self.timeout)
        while scratch.bytesOnDisk < bytes, child.ending() == nil, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// The addresses of a case's servers.
private struct Places: Sendable {
    let server: FaultServer
    let other: FaultServer
    let scratch: Scratch
    let secure: String?
    /// A free port; a server listens there later if the case names `{late}`.
    private let freePort: Int
    private let hasLateServer: Bool

    init(_ faultCase: FaultCase, server: FaultServer, other: FaultServer, scratch: Scratch, secure: String?)
        async throws
    {
        self.server = server
        self.other = other
        self.scratch = scratch
        self.secure = secure
        hasLateServer = faultCase.urls.contains { $0.contains("{late}") }
        freePort = try await FaultServer.serving { $0.port }
    }

    func url(_ text: String) -> String { text.hasPrefix("/") ? server.origin + text : text }

    func fill(_ text: String) -> String {
        guard text.contains("{") || text.contains("%7B") else { return text }
        var text = text
        for (mark, value) in [
            ("server", server.origin), ("other", other.origin), ("late", "http://127.0.0.1:\(freePort)"),
            ("closed", "http://127.0.0.1:\(freePort)"), ("login", "http://alice:secret@127.0.0.1:\(server.port)"),
            ("tls", secure ?? ""), ("home", scratch["home"]), ("got", scratch["got"]),
        ] {
            text = text.replacing("{\(mark)}", with: value).replacing("%7B\(mark)%7D", with: percentEncoded(value))
        }
        return text
    }

    func startLateServer() -> Task<Void, Never>? {
        guard hasLateServer else { return nil }
        return Task {
            try? await Task.sleep(for: .seconds(0.7))
            guard !Task.isCancelled, let server = try? await FaultServer.start(port: freePort) else { return }
            // Until it is cancelled.
            try? await Task.sleep(for: .seconds(3600))
            await server.shutdown()
        }
    }
}
