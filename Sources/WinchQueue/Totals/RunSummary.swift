package import WinchModel

/// How a run ended, for the exit code and the last line.
package struct RunSummary: Hashable, Sendable {
    package var finished = 0
    package var cancelled = 0
    package var unfinished = 0
    /// Of the unfinished ones: without a dashboard they go on by a session's command only.
    package var paused = 0
    /// Whether unfinished ones have bytes from which another run goes on, and whether some begin again.
    package var (keepsPartialFiles, beginsAgain) = (false, false)
    /// Complete downloads that a checksum list (`--sums`) names, and those that none names.
    package var (listed, unlisted) = (0, 0)
    /// The checksums of the former.
    package var listedChecksums: Set<Checksum> = []
    package var failures: [TransferFailure] = []
    /// How many of the failed ones the ledger has: one that another process works on has no row there.
    package var failuresKept = 0
    /// Files and folders that were left out of folders which the user wanted.
    package var leftOut = 0
    /// What each listing warns of; names come from outside.
    package var listingWarnings: [String] = []
    /// How many of the failed ones only wait for an answer of the user, whom a dashboard has asked.
    package var asking = 0
    /// What the first of them were, with their reasons; names come from outside.
    package var reasons: [String] = []
    /// Where the complete files are, as given; empty if uploads are among them.
    package var folders: Set<String> = []
    /// What came in this run, in what time, and how fast; `nil` when nothing came.
    package var figures: String?

    package init(finished: Int = 0, cancelled: Int = 0, unfinished: Int = 0, failures: [TransferFailure] = []) {
        (self.finished, self.cancelled, self.unfinished, self.failures) = (finished, cancelled, unfinished, failures)
    }

    /// - Parameter now: for the figures of the run; without it they are left out.
    package init(_ queue: TransferQueue, at now: Moment? = nil) {
        var areDownloads = true
        for transfer in queue.transfers {
            if transfer.isListing, let warning = transfer.warning {
                leftOut += warning.leftOut
                listingWarnings.append("\(transfer.spec.path(to: transfer.name)): \(warning.kind): \(warning.message)")
            }
            switch transfer.phase {
            // What it has named is counted.
            case .finished where transfer.isListing: break
            case .finished(let outcome):
                finished += 1
                count(outcome, of: transfer.spec)
                folders.insert(transfer.spec.folder)
                areDownloads = areDownloads && transfer.spec.direction == .down
            case .cancelled: cancelled += 1
            case .failed(let failure):
                failures.append(failure)
                if transfer.record.key != nil { failuresKept += 1 }
                guard reasons.count < Self.mostReasons else { break }
                reasons.append("\(failure.reported(transfer.spec.path(to: transfer.name))): \(failure.message)")
            case .waiting, .active, .verifying, .paused, .backoff:
                unfinished += 1
                if transfer.phase == .paused { paused += 1 }
                if !transfer.canContinue {
                    beginsAgain = true
                } else if transfer.have > .zero {
                    keepsPartialFiles = true
                }
            }
        }
        if !areDownloads { folders = [] }
        guard let now else { return }
        let totals = queue.totals(at: now)
        // The rate is that of this time: pauses, and waits for an answer of the user, are left out of both.
        let worked = queue.state.worked(at: now)
        guard totals.fetched > 0, worked > .zero else { return }
        let time = worked < .seconds(1) ? "under 1 s" : DurationFormat.withTenths(worked)
        figures = NumberFormat.bytes(ByteCount(bytes: totals.fetched)) + " in " + time
        if let rate = totals.meanRate { figures? += ", " + NumberFormat.rate(rate) }
    }

    private mutating func count(_ outcome: TransferPhase.Outcome, of spec: TransferSpec) {
        switch outcome {
        case .saved, .alreadyComplete:
            guard let checksum = spec.listedChecksum, spec.listedOrigin == .list else { return unlisted += 1 }
            listed += 1
            listedChecksums.insert(checksum)
        default: break
        }
    }

    /// ` in FOLDER`, ` in 3 folders`; empty for the working folder, and if it is not known.
    private var place: String {
        guard let folder = folders.first, folders != ["."] else { return "" }
        return folders.count == 1 ? " in \(folder)" : " in \(folders.count) folders"
    }

    /// A longer list would hide the summary at the end of a run.
    static let mostReasons = 10

    /// What is said at the end: how it ended, what failed and why, and how to go on.
    ///
    /// - Parameters:
    ///   - line: a command of `winch`, or `winch` itself without one, as the user types it: a later run goes on, and the history
    ///     lists what failed and is in the ledger. `nil`: the run is not kept.
    ///   - withTotals: the first line; elsewhere it is said already.
    package func lines(_ line: ((_ command: String) -> String)?, withTotals: Bool) -> [String] {
        var lines = withTotals ? [words + (figures.map { "; " + $0 } ?? "")] : []
        // Of several failures it is not known which of them wait.
        let standing = asking > 0 && asking == failures.count ? "unanswered: " : "failed: "
        lines += reasons.map { standing + $0 }
        if failures.count > reasons.count, !reasons.isEmpty {
            lines.append("and \(failures.count - reasons.count) more failed")
        }
        guard let line else { return lines }
        if unfinished > 0 {
            let words = "run `\(line(""))` to resume"
            let session = " them in its dashboard, or `\(line("serve"))` and `\(line("resume --all"))`: they are paused"
            lines.append(words + (paused == unfinished ? session : ""))
        }
        if failuresKept > asking { lines.append("`\(line("history --failed"))` lists everything that failed") }
        return lines
    }

    package var words: String {
        let counts = [
            (finished, "finished" + place), (max(0, failures.count - asking), "failed"), (cancelled, "cancelled"),
            (asking, asking == 1 ? "waits for your answer" : "wait for your answer"),
            (
                unfinished,
                "unfinished" + (keepsPartialFiles ? ", partial files kept" : beginsAgain ? ", begin again from 0" : "")
            ),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "nothing was transferred" : parts.joined(separator: ", ")
    }
}

extension RunSummary {
    /// 0 all succeeded and nothing was left out, 7 unfinished work, else aria2's code when all failures share it, else 1.
    package var exitCode: Int32 {
        if unfinished > 0 { return Self.unfinishedCode }
        // What was stopped because another failed says nothing of its own.
        let codes = Set(failures.filter { $0 != .stoppedByFailFast }.map(\.exitCode))
        guard codes.count != 1 else { return codes.first ?? 1 }
        return failures.isEmpty && leftOut == 0 ? 0 : 1
    }

    package static let unfinishedCode: Int32 = 7
    /// The checksum lists have verified nothing.
    package static let checksumCode: Int32 = 32
    package static let usageCode: Int32 = 64
    /// Everything was fetched, and standard output would not take the news of it.
    package static let outputCode: Int32 = 17
}
