import FaultServer
import Foundation
import TestSupport

/// Runs the cases, several at a time and in their order, and keeps what was wrong.
struct Table: Sendable {
    private let trials: [String: Task<String?, Never>]

    /// - Parameters:
    ///   - winch: path of the built program.
    ///   - jobs: cases at a time.
    init(_ cases: [FaultCase], winch: String, jobs: Int) {
        var tasks: [Task<String?, Never>] = []
        for (index, faultCase) in cases.enumerated() {
            let before = index < jobs ? nil : tasks[index - jobs]
            tasks.append(
                Task {
                    _ = await before?.value
                    return await Trial.fault(in: faultCase, winch: winch)
                })
        }
        trials = Dictionary(zip(cases.map(\.name), tasks)) { first, _ in first }
    }

    /// Waits until the case has ended.
    ///
    /// - Returns: `nil` if it went as expected; otherwise all faults, and the end of the output and of the requests.
    func fault(in faultCase: FaultCase) async -> String? {
        guard let trial = trials[faultCase.name] else { return "not in the table" }
        return await trial.value
    }
}

/// Prepares the scratch folder of a case, runs the program, and judges the result.
struct Trial: Sendable {
    let faultCase: FaultCase
    let winch: String
    let server: FaultServer
    let other: FaultServer
    let latePort: Int
    let scratch: Scratch
    /// Seconds after which a run counts as hung.
    private static let timeout = 40.0

    static func fault(in faultCase: FaultCase, winch: String) async -> String? {
        do {
            return try await FaultServer.serving { server in
                try await FaultServer.serving { other -> String? in
                    let trial = Trial(
                        faultCase: faultCase, winch: winch, server: server, other: other,
                        latePort: try await FaultServer.serving { $0.port }, scratch: try Scratch())
                    let late = Task { await trial.serveLater() }
                    defer { late.cancel() }
                    return try await trial.fault()
                }
            }
        } catch {
            return "not tried: \(error)"
        }
    }

    /// Listens after a while, until it is cancelled.
    private func serveLater() async {
        guard faultCase.command.contains("{late}") else { return }
        try? await Task.sleep(for: .seconds(0.7))
        guard !Task.isCancelled, let late = try? await FaultServer.start(port: latePort) else { return }
        try? await Task.sleep(for: .seconds(3600))
        await late.shutdown()
    }

    private func fault() async throws -> String? {
        for (name, content) in faultCase.before { try scratch.create(content, at: name) }
        if let batch = faultCase.batch { try scratch.write(fill(batch), to: "batch.urls") }
        let started = ContinuousClock.now
        if let bytes = faultCase.killedAt {
            let child = try start()
            let deadline = started + .seconds(Self.timeout)
            while scratch.bytesOnDisk < bytes, child.ending() == nil, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(10))
            }
            child.signal(SIGKILL)
            _ = try await child.end(within: 10)
        }
        let code = try await start().end(within: Self.timeout)
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        let found = code.map { faults($0, seconds) } ?? ["it hung"]
        return found.isEmpty ? nil : found.joined(separator: "; ") + "\n" + transcript
    }

    private func start() throws -> Child {
        let urls = faultCase.command.split(separator: " ").map { word in
            fill(word.hasPrefix("/") ? "\(server.origin)\(word)" : "\(word)")
        }
        var words = ["--output", "plain", "-d", "got", "--retry-wait", "0.05"] + urls
        for (option, value) in [("--max-tries", "3"), ("--timeout", "4")] where !words.contains(option) {
            words += [option, value]
        }
        if faultCase.batch != nil { words += ["-i", "batch.urls"] }
        guard let setup = faultCase.setup else { return try scratch.run(winch, words) }
        return try scratch.run("sh", ["-c", setup + "\nexec \"$@\"", "sh", winch] + words)
    }

    private func fill(_ text: String) -> String {
        guard text.contains("{") || text.contains("%7B") else { return text }
        var text = text
        for (mark, value) in [
            ("server", server.origin), ("login", "http://alice:secret@127.0.0.1:\(server.port)"),
            ("other", other.origin), ("late", "http://127.0.0.1:\(latePort)"), ("home", scratch["home"]),
        ] {
            text = text.replacing("{\(mark)}", with: value).replacing("%7B\(mark)%7D", with: percentEncoded(value))
        }
        return text
    }

    private func faults(_ code: Int32, _ seconds: Double) -> [String] {
        let (expected, output) = (faultCase.expected, scratch.text("output"))
        let isOther = expected.orCodes.contains(code)
        var faults: [String] = []
        func check(_ holds: Bool, _ fault: String) {
            if !holds { faults.append(fault) }
        }
        check(isOther || expected.codes.contains(code), "code \(code), not \(expected.codes.sorted())")
        for words in expected.words { check(isOther || output.contains(words), "never says '\(words)'") }
        for words in expected.forbiddenWords { check(!output.contains(words), "says '\(words)'") }
        check(seconds >= expected.seconds, "took \(seconds) s, less than \(expected.seconds)")

        var left = scratch.files(below: "got")
        for (name, content) in expected.files.sorted(by: { $0.key < $1.key }) {
            let isThere = left.remove(name) != nil
            let fault = scratch.fault(of: "got/" + name, wanting: content)
            check(fault == nil || isOther && !isThere, "\(name) \(fault ?? "")")
        }
        let mayKeepParts = expected.mayKeepParts || isOther
        for name in left.sorted() { check(mayKeepParts && name.hasSuffix(".part"), "\(name) is left over") }
        let victim = "home/victim"
        check(faultCase.before[victim] == nil || scratch.text(victim) == "mine", "wrote through a link")
        let strays = scratch.names.subtracting(["got", "home", "state", "config", "output", "batch.urls"])
        check(strays.isEmpty, "made outside the folder: \(strays.sorted())")

        let requests = server.requests
        if let range = expected.requests {
            let count = requests.count { $0.method == "GET" }
            check(range.contains(count), "\(count) requests, not \(range)")
        }
        let sent = requests.reduce(0) { $0 + $1.bodyBytes }
        check(sent <= expected.sentAtMost ?? .max, "fetched \(sent) bytes")
        for (field, text) in expected.told {
            check(requests.contains { $0.request.header(field)?.contains(text) == true }, "never sent \(field)")
        }
        for field in expected.hidden {
            let forbidden = other.requests + (expected.told[field] == nil ? requests : [])
            check(!forbidden.contains { $0.request.header(field) != nil }, "sent \(field) to the wrong server")
        }
        return faults
    }

    private var transcript: String {
        let log = [("server", server), ("other", other)].flatMap { name, server in
            server.requests.map { request in
                "  \(name): \(request.method) \(request.request.target.prefix(120)) \(request.range ?? "")"
                    + " -> \(request.status), \(request.bodyBytes) bytes"
            }
        }
        let output = scratch.text("output").split(separator: "\n").suffix(20).map { "  | \($0)" }
        return (output + log.suffix(30)).joined(separator: "\n")
    }
}
