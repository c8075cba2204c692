import FaultServer
import Foundation

/// The result of a case.
package enum Verdict: Sendable, Equatable {
    /// - Parameter code: 0 for a whole file, otherwise that of the expected failure.
    case right(code: Int32)
    /// All faults, separated by semicolons; the lines after the first are the output's end and the requests.
    case wrong(String)
    /// This machine cannot do what the case needs.
    case skipped(String)
}

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

    func verdict(on faultCase: FaultCase) -> Verdict {
        let faults = faults(faultCase)
        if faults.isEmpty { return .right(code: last) }
        return .wrong(faults.joined(separator: "; ") + "\n" + transcript)
    }

    /// The last run's exit code; -1 when it hung.
    private var last: Int32 { (codes.last ?? nil) ?? -1 }

    private func faults(_ faultCase: FaultCase) -> [String] {
        let expected = faultCase.expected
        var faults: [String] = []
        for (index, run) in faultCase.runs.enumerated() where index < codes.count {
            guard let code = codes[index] else { return ["run \(index + 1) hung"] }
            if let wanted = run.code, code != wanted {
                faults.append("run \(index + 1) ended with \(code), not \(wanted)")
            }
        }
        let isOther = expected.orCodes.contains(last)
        if !isOther, !expected.codes.contains(last) {
            faults.append("code \(last), not \(expected.codes.sorted().map(String.init).joined(separator: " or "))")
        }
        faults += fileFaults(expected, mayBeMissing: isOther)
        for words in expected.words where !isOther && !output.contains(words) { faults.append("never says '\(words)'") }
        for words in expected.forbiddenWords where output.contains(words) { faults.append("says '\(words)'") }
        if seconds < expected.seconds { faults.append("took \(seconds) s, less than \(expected.seconds)") }
        return faults + serverFaults(expected)
    }

    private func fileFaults(_ expected: Expected, mayBeMissing: Bool) -> [String] {
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
}
