import FaultServer
import Foundation

/// What a trial produced: exit codes, output, requests and files.
struct Evidence {
    let codes: [Int32?]
    let output: String
    let seconds: Double
    let server: [LoggedRequest]
    let other: [LoggedRequest]
    /// The folder with the results, in the scratch folder.
    let results: String
    let scratch: Scratch

    // MARK: - As Winch is judged

    func verdict(on faultCase: FaultCase) -> Verdict {
        let faults = faults(faultCase)
        if faults.isEmpty { return .right(codes.last == 0 ? "whole" : "says no (\(code))") }
        return .wrong(faults.joined(separator: "; ") + "\n" + transcript)
    }

    private var code: String { (codes.last ?? nil).map { "\($0)" } ?? "hung" }

    private func faults(_ faultCase: FaultCase) -> [String] {
        let expected = faultCase.expected
        var faults: [String] = []
        for (index, run) in faultCase.runs.enumerated() where index < codes.count {
            guard let code = codes[index] else { return ["run \(index + 1) hung"] }
            if let wanted = run.code, code != wanted {
                faults.append("run \(index + 1) ended with \(code), not \(wanted)")
            }
        }
        let last = (codes.last ?? nil) ?? -1
        let isOther = expected.orCodes.contains(last)
        if !isOther, !expected.codes.contains(last) {
            faults.append("code \(last), not \(expected.codes.sorted().map(String.init).joined(separator: " or "))")
        }
        faults += fileFaults(expected, before: faultCase.before, mayBeMissing: isOther)
        for words in expected.words where !isOther && !output.contains(words) { faults.append("never says '\(words)'") }
        for words in expected.forbiddenWords where output.contains(words) { faults.append("says '\(words)'") }
        if seconds < expected.seconds { faults.append("took \(seconds) s, less than \(expected.seconds)") }
        return faults + serverFaults(expected)
    }

    private func fileFaults(_ expected: Expected, before: [Fixture], mayBeMissing: Bool) -> [String] {
        var faults: [String] = []
        var left = scratch.files(below: results)
        for (name, content) in expected.files.sorted(by: { $0.key < $1.key }) {
            let fault = scratch.fault(of: scratch[results + "/" + name], wanting: content)
            let isThere = left.remove(name) != nil || name.hasPrefix("../")
            if let fault, isThere || !mayBeMissing { faults.append("\(name) \(fault)") }
        }
        for name in left.sorted() {
            if expected.mayKeepParts || mayBeMissing, name.hasSuffix(".part") { continue }
            faults.append("\(name) is left over")
        }
        if scratch.files(below: "home").contains("victim"), scratch.text("home/victim") != "mine" {
            faults.append("a file elsewhere was written through a link")
        }
        let known: Set = [
            "got", "home", "state", "config", "kept", "output", "batch.urls", "secure", "key.pem", "secure.log",
            "openssl.log", "probe.log",
        ]
        let unexpectedFiles = (try? FileManager.default.contentsOfDirectory(atPath: scratch.path)) ?? []
        faults += unexpectedFiles.filter { !known.contains($0) }.map { "\($0) was made outside the folder" }
        return faults
    }

    private func serverFaults(_ expected: Expected) -> [String] {
        var faults: [String] = []
        let gets = server.filter { $0.method == "GET" }
        if let range = expected.requests, !range.contains(gets.count) {
            faults.append("\(gets.count) requests, not \(range.lowerBound) to \(range.upperBound)")
        }
        let sent = server.reduce(0) { $0 + $1.bodyBytes }
        if let most = expected.sentAtMost, sent > most {
            faults.append("fetched \(sent) bytes, at most \(most) allowed")
        }
        return faults + expected.facts.compactMap(fault)
    }

    private func fault(_ fact: ServerFact) -> String? {
        func log(_ which: ServerFact.Which) -> [LoggedRequest] { which == .server ? server : other }
        func holds(_ request: LoggedRequest, _ header: String, _ text: String) -> Bool {
            request.request.header(header).map { text.isEmpty || $0.contains(text) } ?? false
        }
        switch fact {
        case .never(let which, let header, let text):
            return log(which).contains { holds($0, header, text) } ? "sent \(header) to the \(which)" : nil
        case .once(let which, let header, let text):
            return log(which).contains { holds($0, header, text) } ? nil : "never sent \(header) to the \(which)"
        case .answers(let status, let most):
            let count = server.filter { $0.status == status }.count
            return count > most ? "\(count) answers of \(status), at most \(most) allowed" : nil
        case .lastAsksForPart:
            return server.last { $0.method == "GET" }?.range == nil ? "fetched from the start again" : nil
        }
    }

    private var transcript: String {
        let log = (server.map { ("server", $0) } + other.map { ("other", $0) }).map { name, request in
            "  \(name): \(request.method) \(request.request.target.prefix(120)) \(request.range ?? "")"
                + " -> \(request.status), \(request.bodyBytes) bytes"
        }
        return (output.split(separator: "\n").suffix(20).map { "  | \($0)" } + log.suffix(30)).joined(separator: "\n")
    }

    // MARK: - As other tools are judged

    /// The rule for every tool: either a bit-exact file under its name, or a failure's exit code and no broken file under
    /// that name. A file that the tool marks as unfinished in its own way (`.part`, `.aria2`) does not count as broken.
    func looseVerdict(on faultCase: FaultCase) -> Verdict {
        guard let code = codes.last ?? nil else { return .wrong("hung") }
        let expected = faultCase.expected
        let found = scratch.files(below: results)
        let own = expected.files.filter { name, content in !isOld(name, faultCase.before) }
        let old = expected.files.filter { name, content in isOld(name, faultCase.before) }
        for (name, content) in old where scratch.fault(of: scratch[results + "/" + name], wanting: content) != nil {
            return .wrong("harms what was there")
        }
        if scratch.files(below: "home").contains("victim"), scratch.text("home/victim") != "mine" {
            return .wrong("writes through a link")
        }
        let faults = own.compactMap { scratch.fault(of: scratch[results + "/" + $0.key], wanting: $0.value) }
        if !own.isEmpty, faults.isEmpty { return .right("whole") }
        let isMarked = { (name: String) in
            name.hasSuffix(".part") || name.hasSuffix(".aria2") || found.contains(name + ".aria2")
                || found.contains(name + ".part")
        }
        let finals = found.filter { !isMarked($0) && old[$0] == nil && $0 != ".filler" }
        if code == 0 {
            return .wrong(
                own.isEmpty ? "takes it for good" : finals.isEmpty ? "says done, no file" : finalWords(own, finals))
        }
        let broken = finals.filter { name in
            guard let content = own[name] else { return true }
            return scratch.fault(of: scratch[results + "/" + name], wanting: content) != nil
        }
        return broken.isEmpty ? .right("says no (\(code))") : .wrong("leaves a broken file")
    }

    private func finalWords(_ own: [String: Content], _ finals: Set<String>) -> String {
        let isWhole = own.values.allSatisfy { content in
            finals.contains { scratch.fault(of: scratch[results + "/" + $0], wanting: content) == nil }
        }
        return isWhole ? "another name" : "says done, broken"
    }

    private func isOld(_ name: String, _ before: [Fixture]) -> Bool {
        before.contains { fixture in
            switch fixture {
            case .file(let path, _), .folder(let path), .link(let path, _): path == "got/" + name
            }
        }
    }
}
