import FaultServer
import Foundation

/// Eight transfers of one connection each, or three of several, killed at random moments and run again, until all of
/// them are done.
package struct TortureRound: Sendable {
    package enum Interruption: Sendable {
        /// kill -9: everything written stays.
        case kill
        /// kill -9, then the files are changed to what a power loss leaves, and the boot id changes.
        /// - Parameter library: path of libPowerLoss.so.
        case powerLoss(library: String)
    }

    /// The result of a round.
    package struct Report: Sendable {
        package var seed: UInt64
        package var kills = 0
        /// Files that are not what the server has, or were never finished.
        package var wrong: [String] = []
        /// Files that `winch` without arguments did not complete although the ledger had their entries.
        package var lost: [String] = []
        /// Files of which more bytes were fetched again than a crash may cost.
        package var overBudget: [String] = []
        /// Other files in the target folder: parts that no run has taken up again.
        package var unexpectedFiles: [String] = []
        /// Bytes fetched beyond the sizes of the files.
        package var fetchedAgain: Int64 = 0
        /// The largest share of its allowance that one file has fetched again.
        package var maxRefetchShare = 0.0
        /// Bytes that the simulated power losses took away.
        package var bytesLost: Int64 = 0
        package var runs = 0
        /// Requests for parts of files that have several connections.
        package var partRequests = 0
        /// The end of each run's output, if the round failed.
        package var failureLog: [String] = []

        package var isRight: Bool { wrong.isEmpty && lost.isEmpty && overBudget.isEmpty && unexpectedFiles.isEmpty }
    }

    let winch: String
    let seed: UInt64
    let interruption: Interruption

    /// Its files have several connections: every third seed.
    var isSplit: Bool { Self.isSplit(seed: seed) }

    static func isSplit(seed: UInt64) -> Bool { seed.isMultiple(of: 3) }

    package init(winch: String, seed: UInt64, interruption: Interruption) {
        self.winch = winch
        self.seed = seed
        self.interruption = interruption
    }

    package func report() async throws -> Report {
        try await FaultServer.serving { server in
            var runningRound = RunningRound(round: self, server: server, scratch: try Scratch())
            return try await runningRound.report()
        }
    }
}

/// The state of a round under way.
private struct RunningRound {
    let round: TortureRound
    let server: FaultServer
    let scratch: Scratch
    var random: SplitMix
    var files: [TortureFile] = []
    /// What is wrong with files after the last run, by name.
    var fileFaults: [String: String] = [:]
    var result: TortureRound.Report
    /// Seconds after which a run that is not killed counts as hung.
    private static let timeout = 60.0
    /// A run that lived this long after it had reported its entries has written them to the ledger.
    private static let settling = Duration.seconds(1.5)

    /// When the kill happens.
    private enum When: CaseIterable {
        /// Some time after the start.
        case anyTime
        /// Soon after the entries were reported.
        case early
        /// When the ledger's files change.
        case ledgerWrites
        /// When the next file gets its final name.
        case finishing
    }

    init(round: TortureRound, server: FaultServer, scratch: Scratch) {
        self.round = round
        self.server = server
        self.scratch = scratch
        random = SplitMix(state: round.seed)
        result = TortureRound.Report(seed: round.seed)
    }

    mutating func report() async throws -> TortureRound.Report {
        let style = round.isSplit ? .split : TortureFile.Style.whole.randomElement(using: &random) ?? .mixed
        files = (0..<style.count).map { TortureFile($0, style, using: &random) }
        let urls = files.map { file in
            ([server.url(file.name)] + [file.options.joined(separator: "&")]).joined(separator: "?")
        }
        try scratch.write(urls.joined(separator: "\n") + "\n", to: "batch.urls")
        if case .powerLoss = round.interruption {
            try setBootID()
            try powerCut.start()
        }
        let isEstablished = try await runAndKill()
        try await finish(isEstablished: isEstablished)
        judge()
        return result
    }

    private var powerCut: PowerCut {
        PowerCut(roots: [scratch["got"], scratch["state"]], journal: scratch["journal"])
    }

    /// - Returns: whether a run lived long enough for the ledger to know all entries.
    private mutating func runAndKill() async throws -> Bool {
        var isEstablished = false
        for interruption in 0..<Int.random(in: 1...4, using: &random) {
            let child = try start(alone: isEstablished && interruption % 2 == 1)
            let (didReport, reportedAt) = try await waitUntilReported()
            let when = When.allCases.randomElement(using: &random) ?? .anyTime
            try await wait(for: when)
            if didReport, ContinuousClock.now - reportedAt > Self.settling { isEstablished = true }
            child.signal(SIGKILL)
            result.kills += 1
            let ending = try await child.end(within: 10)
            // The run may have finished before the kill.
            if ending == 0 { isEstablished = true }
            if case .powerLoss = round.interruption {
                result.bytesLost += try powerCut.happen(using: &random)
                try setBootID()
                // The power loss may have removed entries from the ledger.
                isEstablished = false
            }
        }
        return isEstablished
    }

    /// Waits until the entries are reported, which happens for all of them at once.
    private func waitUntilReported() async throws -> (Bool, ContinuousClock.Instant) {
        let deadline = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < deadline {
            if scratch.text("output.\(result.runs)").contains("\"added\"") { return (true, .now) }
            try await Task.sleep(for: .milliseconds(5))
        }
        return (false, .now)
    }

    private mutating func wait(for when: When) async throws {
        let most = Duration.milliseconds(Int.random(in: 0...2500, using: &random))
        switch when {
        case .anyTime: try await Task.sleep(for: most)
        case .early: try await Task.sleep(for: most / 12)
        case .ledgerWrites:
            let before = ledgerMark
            try await waitUntil(most) { ledgerMark != before }
        case .finishing:
            let before = finals
            try await waitUntil(most) { finals != before }
        }
    }

    private func waitUntil(_ longest: Duration, _ isThere: () -> Bool) async throws {
        let deadline = ContinuousClock.now + longest
        while !isThere(), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
    }

    private var ledgerMark: [Int64] {
        ["ledger.sqlite", "ledger.sqlite-wal"].map { name in
            var status = stat()
            guard lstat(scratch["state/winch/" + name], &status) == 0 else { return 0 }
            return Int64(status.st_size) ^ Int64(status.st_mtim.tv_nsec)
        }
    }

    private var finals: Set<String> { scratch.files(below: "got").filter { !$0.hasSuffix(".part") } }

    /// Runs `winch` without arguments and with the batch in turn, until all files are complete.
    private mutating func finish(isEstablished: Bool) async throws {
        var isAlone = isEstablished
        for turn in 0..<4 {
            let code = try await start(alone: isAlone).end(within: Self.timeout)
            if code == nil { result.wrong.append("run \(result.runs) hung") }
            fileFaults = files.reduce(into: [:]) { $0[$1.name] = fault(of: $1) }
            let missing = files.map(\.name).filter { fileFaults[$0] != nil }
            if isAlone, turn == 0, !missing.isEmpty, code == 0 || code == 64 { result.lost += missing }
            // Once more with the other command: it must neither fetch nor break anything.
            if missing.isEmpty, turn > 0 { return }
            isAlone.toggle()
            if isAlone, !isEstablished, turn == 0, !missing.isEmpty { isAlone = false }
        }
    }

    private mutating func start(alone: Bool) throws -> Child {
        result.runs += 1
        var environment = [
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": scratch["home"], "XDG_STATE_HOME": scratch["state"],
            "XDG_CONFIG_HOME": scratch["config"],
        ]
        if case .powerLoss(let library) = round.interruption {
            environment["LD_PRELOAD"] = library
            environment["POWER_LOSS_ROOTS"] = "\(scratch["got"]):\(scratch["state"])"
            environment["POWER_LOSS_JOURNAL"] = scratch["journal"]
            environment["POWER_LOSS_BOOT_ID"] = scratch["boot_id"]
        }
        let what = alone ? [] : ["-i", "batch.urls", "-d", "got"]
        return try Child(
            round.winch,
            what + splitting() + [
                "--output", "json", "--retry-wait", "0.05", "--max-tries", "20", "--timeout", "5", "-j", "8",
            ], in: scratch.path, environment: environment, streams: .together(scratch["output.\(result.runs)"]))
    }

    /// A number opens the connections at once; with "auto" they come and go.
    private mutating func splitting() -> [String] {
        guard round.isSplit else { return [] }
        return ["-s", Bool.random(using: &random) ? "4" : "auto", "--per-host", "12"]
    }

    private func fault(of file: TortureFile) -> String? {
        scratch.fault(of: "got/" + file.name, wanting: .served(file.name, size: file.size))
    }

    private mutating func judge() {
        let requests = server.requests.filter { $0.method == "GET" }
        for file in files {
            if let fault = fileFaults[file.name] { result.wrong.append("\(file.name) \(fault)") }
            let own = requests.filter { $0.key == "/f/" + file.name }
            if round.isSplit { result.partRequests += own.count { $0.range != nil } }
            let again = own.reduce(0) { $0 + $1.bodyBytes } - file.size
            result.fetchedAgain += max(0, again)
            guard case .kill = round.interruption, result.kills > 0 else { continue }
            let allowed = file.budget * Int64(result.kills) + file.slack * Int64(own.count)
            result.maxRefetchShare = max(result.maxRefetchShare, Double(again) / Double(allowed))
            if again > allowed {
                result.overBudget.append("\(file.name) (\(file.size) bytes): \(again) again, \(allowed) allowed")
            }
        }
        let names = Set(files.map(\.name))
        for stray in scratch.files(below: "got") where !names.contains(stray) {
            result.unexpectedFiles.append("\(stray) is left over")
        }
        if !result.isRight {
            result.failureLog = (1...max(1, result.runs)).map { run in
                "run \(run): "
                    + scratch.text("output.\(run)").split(separator: "\n").suffix(3).joined(separator: " | ").suffix(
                        600)
            }
        }
    }

    private mutating func setBootID() throws {
        let words = (0..<2).map { _ in String(random.next(), radix: 16) }
        try scratch.write(words.joined(separator: "-") + "\n", to: "boot_id")
    }
}

/// One file of a round, with random faults of the server.
struct TortureFile: Sendable {
    let name: String
    let size: Int64
    let options: [String]
    /// The server's rate limit in bytes a second; `nil`: none.
    let rate: Int64?
    /// The server ends connections with RST, which throws away what the client had not read.
    let isReset: Bool
    /// The most connections that bring it at the same time.
    let connections: Int

    /// What all files of a round have in common.
    enum Style: Sendable {
        /// Sizes from 64 KiB to 8 MiB, some of the files limited in rate.
        case mixed
        /// From 4 to 8 MiB, without a limit.
        case fast
        /// All files are soon complete, so that kills hit the finishing.
        case small
        /// Drops, resets, stalls, overload.
        case hostile
        /// From 8 to 16 MiB over four to eight connections, each of which is limited to a twelfth of the file a second:
        /// with one alone, which a host that refuses more is left with, a run takes twelve seconds.
        case split

        /// Those of files that are brought by one connection each.
        static let whole = [mixed, fast, small, hostile]

        /// Files in a round.
        var count: Int { self == .split ? 3 : 8 }
    }

    init(_ number: Int, _ style: Style, using random: inout some RandomNumberGenerator) {
        name = "t\(number).bin"
        let large = Int64(64 << 10) << Int64.random(in: 0...7, using: &random)
        switch style {
        case .small: size = Int64.random(in: 64 << 10...128 << 10, using: &random)
        case .fast: size = Int64.random(in: 4 << 20...8 << 20, using: &random)
        case .split: size = Int64.random(in: 8 << 20...16 << 20, using: &random)
        case .mixed, .hostile:
            size = min(8 << 20, max(64 << 10, Int64.random(in: large / 2...large, using: &random)))
        }
        connections = style == .split ? 8 : 1
        // No file takes longer than about four seconds.
        let isSlow = style == .mixed ? Bool.random(using: &random) : style == .hostile && number % 4 == 0
        let limited = isSlow ? max(128 << 10, size / Int64.random(in: 1...4, using: &random)) : nil
        rate = style == .split ? size / 12 : limited
        let place = Int64.random(in: 1..<size, using: &random)
        let troubles: [[String]] = [
            ["dropfirst=\(place)"], ["dropfirst=\(place)", "reset"], ["drop=\(max(32 << 10, size / 4))"],
            ["stall=\(place)", "stallfor=0.3"], ["status=503,200"], ["status=close,200,503,200"], ["redirect=2"],
            ["limit=3", "limitkey=all"],
        ]
        let splitTroubles: [[String]] = [
            [], [], ["dropfirst=\(place)"], ["drop=\(size / 6)"], ["drop=\(size / 6)", "reset"], ["limit=3"],
            ["status=200,503,200"], ["latency=0.1"],
        ]
        let own =
            switch style {
            case .hostile: troubles.randomElement(using: &random) ?? []
            case .split: splitTroubles.randomElement(using: &random) ?? []
            case .mixed, .fast, .small: [] as [String]
            }
        isReset = own.contains("reset")
        options = ["size=\(size)"] + (rate.map { ["rate=\($0)"] } ?? []) + own
    }

    /// Bytes that may be fetched again for each kill: a second's worth of each connection, at most 16 MiB, and the
    /// bytes in flight.
    var budget: Int64 {
        guard connections > 1, let rate else { return min(rate ?? .max, 16 << 20) + Self.onTheWay }
        return Int64(connections) * (rate + Self.onTheWayOfSlow)
    }

    /// Bytes of a rate-limited connection that the kernel and libcurl hold in their buffers.
    private static let onTheWay: Int64 = 512 << 10
    /// The same where the limit is some hundred kilobytes a second.
    private static let onTheWayOfSlow: Int64 = 128 << 10
    /// Bytes that may be fetched again for each request: a RST discards what is in the client kernel's buffer.
    var slack: Int64 { isReset ? connections > 1 ? 512 << 10 : 4 << 20 : 128 << 10 }
}
