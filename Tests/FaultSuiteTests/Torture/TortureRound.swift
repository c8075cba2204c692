import FaultServer
import Foundation
import TestSupport
import WinchModel

/// Transfers that are killed at random moments and run again until all of them are done: eight of one connection each,
/// or, for every third seed, three of several.
struct TortureRound {
    private let winch: String
    private let server: FaultServer
    private let scratch: Scratch
    private let powerCut: PowerCut?
    private let isSplit: Bool
    private let files: [TortureFile]
    private var random: SplitMix64
    private var runs = 0
    private var report = RunReport()
    /// Seconds after which a run that is not killed counts as hung.
    private static let timeout = 60.0
    /// A run that lived this long after it had reported its entries has written them to the ledger.
    private static let settling = Duration.seconds(1.5)

    /// - Parameter library: path of libPowerLoss.so: at each kill the power is lost as well. `nil`: what the killed
    ///   program has written stays.
    static func report(winch: String, seed: UInt64, library: String? = nil) async throws -> RunReport {
        try await FaultServer.serving { server -> RunReport in
            var round = try TortureRound(winch, server, seed, library)
            let isEstablished = try await round.runAndKill()
            try await round.finish(isEstablished: isEstablished)
            return round.report
        }
    }

    private init(_ winch: String, _ server: FaultServer, _ seed: UInt64, _ library: String?) throws {
        self.winch = winch
        self.server = server
        let scratch = try Scratch()
        self.scratch = scratch
        powerCut = library.map { PowerCut(scratch: scratch, library: $0) }
        isSplit = seed.isMultiple(of: 3)
        var random = SplitMix64(seed: seed)
        let style = isSplit ? .split : random.pick(TortureFile.Style.whole)
        files = (0..<style.count).map { TortureFile($0, style, using: &random) }
        self.random = random
        let urls = files.map { server.url($0.name) + "?" + $0.options.joined(separator: "&") }
        try scratch.write(urls.joined(separator: "\n") + "\n", to: "batch.urls")
        try powerCut?.start()
    }

    /// - Returns: whether a run lived long enough for the ledger to know all entries.
    private mutating func runAndKill() async throws -> Bool {
        var isEstablished = false
        let kills = random.int(1...4)
        for kill in 0..<kills {
            let child = try start(alone: isEstablished && kill % 2 == 1)
            let output = "output.\(runs)"
            // All entries are reported at once.
            let isReported = try await wait(.seconds(5)) { scratch.text(output).contains("\"added\"") }
            let reportedAt = ContinuousClock.now
            try await waitForMoment()
            if isReported, ContinuousClock.now - reportedAt > Self.settling { isEstablished = true }
            child.signal(SIGKILL)
            // The run may have finished before the kill.
            if try await child.end(within: 10) == 0 { isEstablished = true }
            if let powerCut {
                try powerCut.happen(using: &random)
                // The power loss may have removed entries from the ledger.
                isEstablished = false
            }
        }
        report.counts["kills"] = kills
        return isEstablished
    }

    /// Waits until the program is to be killed.
    private mutating func waitForMoment() async throws {
        let longest = Duration.milliseconds(random.int(0...2500))
        switch random.int(0...3) {
        case 0: try await Task.sleep(for: longest)
        case 1: try await Task.sleep(for: longest / 12)
        case 2:
            let before = ledgerMark
            _ = try await wait(longest) { ledgerMark != before }
        default:
            // The next file gets its final name.
            let before = finals
            _ = try await wait(longest) { finals != before }
        }
    }

    /// - Returns: whether the condition holds before `longest` is over.
    private func wait(_ longest: Duration, for isThere: () -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + longest
        while !isThere() {
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: .milliseconds(1))
        }
        return true
    }

    private var ledgerMark: [Int] {
        ["ledger.sqlite", "ledger.sqlite-wal"].map { name in
            var status = stat()
            guard lstat(scratch["state/winch/" + name], &status) == 0 else { return 0 }
            return Int(status.st_size) ^ Int(status.st_mtim.tv_nsec)
        }
    }

    private var finals: Set<String> { scratch.files(below: "got").filter { !$0.hasSuffix(".part") } }

    /// Runs `winch` without arguments and with the batch in turn, until all files are complete, and judges them.
    private mutating func finish(isEstablished: Bool) async throws {
        var isAlone = isEstablished
        var faults: [String] = []
        for turn in 0..<4 {
            let code = try await start(alone: isAlone).end(within: Self.timeout)
            if code == nil { report.faults.append("run \(runs) hung") }
            faults = files.compactMap { file in
                scratch.fault(of: "got/" + file.name, wanting: .served(file.name, size: file.size))
                    .map { "\(file.name) \($0)" }
            }
            if isAlone, turn == 0, code == 0 || code == 64 {
                report.faults += faults.map { $0 + " and was not in the queue any more" }
            }
            // Once more with the other command: it must neither fetch nor break anything.
            if faults.isEmpty, turn > 0 { break }
            // An entry that the ledger never had comes from the batch.
            isAlone = turn == 0 && !isEstablished && !faults.isEmpty ? false : !isAlone
        }
        report.faults += faults
        let strays = scratch.files(below: "got").subtracting(files.map(\.name))
        report.faults += strays.sorted().map { "\($0) is left over" }
        for file in files { judgeRequests(for: file) }
        if isSplit { report.counts["rounds with split files"] = 1 }
        report.log = (1...runs).map { run in
            let end = scratch.text("output.\(run)").split(separator: "\n").suffix(3).joined(separator: " | ")
            return "run \(run): \(end.suffix(600))"
        }
    }

    /// No more bytes may be fetched again than the kills cost.
    private mutating func judgeRequests(for file: TortureFile) {
        let requests = server.requests(for: file.name).filter { $0.method == "GET" }
        let again = requests.reduce(0) { $0 + $1.bodyBytes } - file.size
        report.counts["KiB fetched again", default: 0] += Int(max(0, again)) >> 10
        if isSplit { report.counts["requests for parts", default: 0] += requests.count { $0.range != nil } }
        let allowed = file.budget * Int64(report.counts["kills"] ?? 0) + file.slack * Int64(requests.count)
        if powerCut == nil, again > allowed {
            report.faults.append("\(file.name) (\(file.size) bytes): \(again) fetched again, \(allowed) allowed")
        }
    }

    private mutating func start(alone: Bool) throws -> Child {
        runs += 1
        var words = ["--output", "json", "-j", "8"]
        if isSplit { words += ["--per-host", "12"] }
        if !alone {
            words += ["-i", "batch.urls", "-d", "got", "--retry-wait", "0.05", "--max-tries", "20", "--timeout", "5"]
            // A number opens the connections at once; with "auto" they come and go.
            if isSplit { words += ["-s", random.pick(["4", "auto"])] }
        }
        return try scratch.run(winch, words, environment: powerCut?.environment ?? [:], output: "output.\(runs)")
    }
}

/// One file of a round, with random faults of the server.
struct TortureFile: Sendable {
    let name: String
    let size: Int64
    /// Of the fault server.
    let options: [String]
    /// Bytes that may be fetched again for each kill: a second's worth of each connection, at most 16 MiB, and the
    /// bytes that the kernel and libcurl hold in their buffers.
    let budget: Int64
    /// Bytes that may be fetched again for each request: a RST discards what is in the client kernel's buffer.
    let slack: Int64

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

    init(_ number: Int, _ style: Style, using random: inout SplitMix64) {
        name = "t\(number).bin"
        let large = (64 << 10) << random.int(0...7)
        let size =
            switch style {
            case .small: random.int(64 << 10...128 << 10)
            case .fast: random.int(4 << 20...8 << 20)
            case .split: random.int(8 << 20...16 << 20)
            case .mixed, .hostile: max(64 << 10, random.int(large / 2...large))
            }
        let place = random.int(1...size - 1)
        var troubles = [""]
        // No file takes longer than about four seconds.
        var rate: Int? = max(128 << 10, size / random.int(1...4))
        switch style {
        case .fast, .small: rate = nil
        case .mixed: rate = random.chance(50) ? rate : nil
        case .hostile:
            rate = number % 4 == 0 ? rate : nil
            troubles = [
                "dropfirst=\(place)", "dropfirst=\(place)&reset", "drop=\(max(32 << 10, size / 4))",
                "stall=\(place)&stallfor=0.3", "status=503,200", "status=close,200,503,200", "redirect=2",
                "limit=3&limitkey=all",
            ]
        case .split:
            rate = size / 12
            troubles = [
                "", "", "dropfirst=\(place)", "drop=\(size / 6)", "drop=\(size / 6)&reset", "limit=3",
                "status=200,503,200", "latency=0.1",
            ]
        }
        let trouble = random.pick(troubles)
        self.size = Int64(size)
        options = ["size=\(size)"] + (rate.map { ["rate=\($0)"] } ?? []) + [trouble].filter { !$0.isEmpty }
        if style == .split {
            budget = 8 * Int64(size / 12 + 128 << 10)
            slack = trouble.contains("reset") ? 512 << 10 : 128 << 10
        } else {
            budget = Int64(min(rate ?? .max, 16 << 20) + 512 << 10)
            slack = trouble.contains("reset") ? 4 << 20 : 128 << 10
        }
    }
}
