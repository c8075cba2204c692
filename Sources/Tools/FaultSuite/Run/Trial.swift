import FaultServer
import Foundation

/// Runs one tool on one case: prepares the scratch folder, runs the tool, and judges the result.
package struct Trial: Sendable {
    let faultCase: FaultCase
    let tool: Tool
    /// Seconds for one run; a tool that takes longer counts as hung.
    private static let timeout = 40.0

    package init(_ faultCase: FaultCase, with tool: Tool) {
        self.faultCase = faultCase
        self.tool = tool
    }

    package func verdict() async -> Verdict {
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
        let places = try await Places(server: server, other: other, scratch: scratch, secure: secure?.origin)
        let late = places.startLateServer()
        let verdict = try await tried(scratch, places, server, other)
        late?.cancel()
        await late?.value
        await secure?.stop()
        return verdict
    }

    private func tried(
        _ scratch: Scratch, _ places: Places, _ server: FaultServer, _ other: FaultServer
    ) async throws -> Verdict {
        for fixture in faultCase.before { try scratch.create(fixture, places.fill) }
        if let batch = faultCase.batch { try scratch.write(places.fill(batch), to: "batch.urls") }
        let wrapping = try await Wrapping.of(faultCase.testEnvironment, in: scratch)
        let started = ContinuousClock.now
        var codes: [Int32?] = []
        var beside: [Child] = []
        for run in faultCase.runs {
            guard let words = words(for: run, places) else { return .notApplicable }
            let all = wrapping.words + [words.program] + words.arguments
            let child = try Child(
                all[0], Array(all.dropFirst()), in: scratch.path, environment: Self.environment(scratch),
                streams: .together(scratch["output"]))
            switch run.end {
            case .itself: codes.append(try await child.end(within: Self.timeout))
            case .signal(let number, let bytes):
                try await waitFor(bytes, in: scratch)
                child.signal(number)
                codes.append(try await child.end(within: 10))
            case .keepsRunning(let bytes):
                try await waitFor(bytes, in: scratch)
                beside.append(child)
                codes.append(0)
            }
        }
        for child in beside { _ = try await child.end(within: Self.timeout) }
        let evidence = Evidence(
            codes: codes, output: scratch.text("output"), seconds: (ContinuousClock.now - started) / .seconds(1),
            server: server.requests, other: other.requests, results: wrapping.results, scratch: scratch)
        switch tool {
        case .winch: return evidence.verdict(on: faultCase)
        case .aria2c, .curl, .wget2: return evidence.looseVerdict(on: faultCase)
        }
    }

    private func words(for run: Run, _ places: Places) -> Tool.Words? {
        let toolOptions = faultCase.toolOptions + run.toolOptions
        let toolJob = Tool.ToolJob(
            urls: faultCase.urls.map(places.url), toolOptions: toolOptions,
            batch: faultCase.batch.map { _ in "batch.urls" },
            isResumed: faultCase.runs.count > 1, isAboutNames: faultCase.group == .names)
        guard var words = tool.words(for: toolJob) else { return nil }
        words.arguments = words.arguments.map(places.fill)
        return words
    }

    private static func environment(_ scratch: Scratch) -> [String: String] {
        [
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "HOME": scratch["home"],
            "XDG_STATE_HOME": scratch["state"], "XDG_CONFIG_HOME": scratch["config"],
        ]
    }

    /// Gives up after a while: a tool that has failed already will not write more.
    private func waitFor(_ bytes: Int64, in scratch: Scratch) async throws {
        let deadline = ContinuousClock.now + .seconds(15)
        while scratch.bytesOnDisk < bytes, ContinuousClock.now < deadline {
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
    private let latePort: Int
    private let closedPort: Int

    init(server: FaultServer, other: FaultServer, scratch: Scratch, secure: String?) async throws {
        self.server = server
        self.other = other
        self.scratch = scratch
        self.secure = secure
        latePort = try await FaultServer.serving { $0.port }
        closedPort = try await FaultServer.serving { $0.port }
    }

    func url(_ text: String) -> String { text.hasPrefix("/") ? server.origin + text : text }

    func fill(_ text: String) -> String {
        guard text.contains("{") || text.contains("%7B") else { return text }
        var text = text
        for (mark, value) in [
            ("server", server.origin), ("other", other.origin), ("late", "http://127.0.0.1:\(latePort)"),
            ("closed", "http://127.0.0.1:\(closedPort)"), ("login", "http://alice:secret@127.0.0.1:\(server.port)"),
            ("tls", secure ?? ""), ("home", scratch["home"]), ("got", scratch["got"]),
        ] {
            text = text.replacing("{\(mark)}", with: value).replacing("%7B\(mark)%7D", with: percentEncoded(value))
        }
        return text
    }

    func startLateServer() -> Task<Void, Never>? {
        Task {
            try? await Task.sleep(for: .seconds(0.7))
            guard !Task.isCancelled, let server = try? await FaultServer.start(port: latePort) else { return }
            while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(50)) }
            await server.shutdown()
        }
    }
}
