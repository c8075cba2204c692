import WinchModel

/// The description of a row's state: its `StateSymbol`, and words in several lengths, of which the longest that fits is shown.
struct StateDescription {
    let sign: Character
    let style: Style
    /// From long to short, never empty.
    let forms: [String]
    /// The full description for the details and the line of the selected row. Also says why a transfer is queued, which
    /// the table does not repeat in every row.
    let reason: String

    /// - Parameters:
    ///   - cause: why the bar has just moved back.
    ///   - isTotalLimited: the limit that the transfer may have reached is that over all transfers.
    ///   - awaitsAnswer: it failed, but only because a question to the user is not answered yet.
    init(
        _ transfer: TransferSnapshot, cause: Rebase?, now: Moment, look: Appearance, isTotalLimited: Bool = false,
        awaitsAnswer: Bool = false
    ) {
        let theme = look.theme
        func words(_ style: Style, _ forms: String...) -> (Style, [String]) { (style, forms) }
        sign = look.symbols.state(awaitsAnswer ? .waiting : StateSymbol(transfer.phase, transfer.direction))
        let moves = transfer.direction == .down ? "downloading" : "uploading"
        (style, forms) =
            switch transfer.phase {
            case .waiting(.slot) where transfer.retry != nil, .waiting(.hostSlot) where transfer.retry != nil,
                .waiting(.sizing) where transfer.retry != nil:
                (theme.warning, transfer.retry.map(Self.queued) ?? [])
            case .waiting(.slot), .waiting(.hostSlot), .waiting(.held): words(theme.quiet, "waiting")
            case .waiting(.sizing): words(theme.quiet, "asking for the size", "sizing")
            case .waiting(.space(let folder)):
                words(
                    theme.warning, "waiting for disk space in " + folder, "waiting for disk space",
                    "no disk space", "no space")
            case .connecting where transfer.warning == .streamKept, .requested where transfer.warning == .streamKept:
                words(theme.moving, "reading the stream, to know its size", "reading the stream", "reading")
            case .connecting: words(theme.moving, "connecting")
            case .requested: words(theme.moving, "waiting for response", "requested")
            case .moving:
                if let since = transfer.stalledSince {
                    words(theme.warning, "stalled " + DurationFormat.text(now - since), "stalled")
                } else if let found = transfer.found {
                    words(theme.moving, "listing, " + found.fileCount, "listing")
                } else if let cause {
                    words(theme.warning, cause.words(in: .accurate), cause.cause.words, cause.cause.shortWords)
                } else if transfer.isSilent {
                    words(theme.warning, "stalled")
                } else if transfer.isAtRateLimit {
                    (theme.paused, Self.limited(transfer, isTotalLimited: isTotalLimited))
                } else if let split = transfer.split, split.connections > 1 {
                    (theme.moving, split.forms(moves))
                } else {
                    words(theme.moving, moves)
                }
            case .paused: words(theme.paused, "paused")
            case .backoff(let until, let attempt, let limit, let failure):
                Self.backoff(until: until, attempt: attempt, limit: limit, failure: failure, now: now, look: look)
            case .replying: words(theme.moving, "sent, waiting for response", "sent, waiting", "sent")
            case .verifying:
                if let fraction = transfer.verifiedFraction {
                    words(theme.moving, "checking \(Int(fraction * 100))%", "check \(Int(fraction * 100))%")
                } else {
                    words(theme.moving, "finishing")
                }
            case .finished(.saved) where transfer.doubt != nil, .finished(.sent) where transfer.doubt != nil:
                words(
                    theme.warning, "done, but " + (transfer.doubt?.message ?? ""),
                    "done, but " + (transfer.doubt?.shortMessage ?? ""), transfer.doubt?.shortMessage ?? "", "done?"
                )
            case .finished(.saved), .finished(.sent): words(theme.done, "done")
            case .finished(.listed(let path, let found)):
                words(
                    transfer.warning == nil ? theme.done : theme.warning,
                    found.words(of: path) + (transfer.warning.map { "; \($0.message)" } ?? ""),
                    found.words(of: path), transfer.isListing ? found.fileCount : "Metalink")
            case .finished(.skipped): words(theme.done, "skipped: already there", "skipped")
            case .finished(.alreadyComplete):
                words(theme.done, transfer.direction == .up ? "done: already sent" : "done: already there", "done")
            case .failed where awaitsAnswer: words(theme.question, "waiting for your answer", "your answer?")
            case .failed(let failure):
                // The whole message; without the advice after `;`; then shorter ones.
                words(
                    theme.failure, failure.message,
                    String(failure.message.prefix { $0 != ";" }), failure.rowMessage, failure.shortMessage)
            case .cancelled: words(theme.cancelled, "cancelled")
            }
        reason =
            switch transfer.phase {
            case .waiting(.hostSlot) where transfer.retry == nil:
                "waiting: all connections that \(transfer.host) allows are in use"
            case .waiting(.slot) where transfer.retry == nil: "waiting for its turn"
            case .waiting(.held): "waiting: all transfers are paused"
            // The details list the connections.
            case .moving where transfer.split?.connections ?? 0 > 1 && !transfer.isSilent && !transfer.isAtRateLimit:
                moves
            default: forms.first ?? ""
            }
    }

    /// That the rate is as high as a limit allows, and which one.
    private static func limited(_ transfer: TransferSnapshot, isTotalLimited: Bool) -> [String] {
        if isTotalLimited { return ["at the total limit", "total limit", "limit"] }
        let limit = transfer.limit.map(NumberFormat.rate)
        return (limit.map { ["at its \($0) limit", "\($0) limit"] } ?? []) + ["at its limit", "limit"]
    }

    /// The words for a transfer that has failed and waits for a slot for its retry.
    private static func queued(for retry: TransferSnapshot.Retry) -> [String] {
        let tries = retry.limit > 0 ? "(\(retry.attempt)/\(retry.limit))" : "(\(retry.attempt))"
        return [
            "\(retry.failure.message), waiting for retry \(tries)",
            "\(retry.failure.shortMessage), waiting for retry \(tries)",
            "\(retry.failure.shortMessage), waiting \(tries)", "waiting for retry \(tries)", "waiting for retry",
            "retry",
        ]
    }

    private static func backoff(
        until: Moment, attempt: Int, limit: Int, failure: TransferFailure, now: Moment, look: Appearance
    ) -> (Style, [String]) {
        let wait = TimeLeftFormat.countdown(until - now)
        let tries = limit > 0 ? "(\(attempt)/\(limit))" : "(\(attempt))"
        let forms =
            if failure.isLocalNetworkFailure {
                [
                    "\(failure.message), retry in \(wait)", "network or name server unreachable, retry in \(wait)",
                    "\(failure.shortMessage), retry in \(wait)", "no network, retry in \(wait)", "no network",
                ]
            } else if let (long, short, mark) = failure.waitDescription {
                [
                    "\(long), retry in \(wait) \(tries)", "\(short), retry in \(wait) \(tries)",
                    "\(short), retry in \(wait)", "\(mark), retry in \(wait)", "\(mark) \(wait)", mark,
                ]
            } else {
                [
                    "retry in \(wait) \(tries): \(failure.message)",
                    "retry in \(wait) \(tries): \(failure.rowMessage)", "\(failure.shortMessage), retry in \(wait)",
                    "retry in \(wait) \(tries)",
                    "retry in \(wait)", "retry \(wait)",
                ]
            }
        return (look.theme.warning, forms)
    }
}

extension SplitProgress {
    /// How many connections bring the file, from long to short.
    fileprivate func forms(_ moves: String) -> [String] {
        let count = ConnectionWords.counted(connections, reason: nil)
        return [reason.map { ConnectionWords.counted(connections, reason: $0) }, "\(moves), \(count)", count]
            .compactMap(\.self)
    }
}

extension TransferSnapshot {
    /// The transfer should move, but it is stalled or its rate would be shown as `0 B/s`. A rate of 0 at a rate limit
    /// is not silence: the limit may cause it.
    var isSilent: Bool {
        phase == .moving && (stalledSince != nil || !isAtRateLimit && rate.map { $0.perSecond < 0.5 } ?? false)
    }
}

extension QueueTotals {
    /// There is a limit over all transfers of this direction.
    func limits(_ direction: Direction) -> Bool { rateLimit != nil || direction == .up && uploadLimit != nil }
}

extension TransferFailure {
    /// A server that answered that the client must wait; in long, short and shortest form. `nil` for other failures.
    fileprivate var waitDescription: (long: String, short: String, mark: String)? {
        switch self {
        case .httpStatus(429): ("server limits us (429)", "server limit", "429")
        case .httpStatus(503): ("server busy (503)", "busy", "busy")
        case .serverBusy(let reply): ("server busy (\(reply.prefix(3)))", "busy", "busy")
        default: nil
        }
    }
}

/// The symbol of a row's state, at the left of its name; the details, the footer and the spoken list of attempts use the same.
enum StateSymbol: CaseIterable, Hashable {
    case waiting, working, downloading, uploading, paused, retrying, done, failed, cancelled

    init(_ phase: TransferPhase, _ direction: Direction) {
        self =
            switch phase {
            case .waiting: .waiting
            case .connecting, .requested, .replying, .verifying: .working
            case .moving: direction == .down ? .downloading : .uploading
            case .paused: .paused
            case .backoff: .retrying
            case .finished: .done
            case .failed: .failed
            case .cancelled: .cancelled
            }
    }

    /// One column wide.
    func character(isASCII: Bool) -> Character {
        switch self {
        case .waiting: isASCII ? "." : "·"
        case .working: isASCII ? "o" : "○"
        case .downloading: isASCII ? "v" : "↓"
        case .uploading: isASCII ? "^" : "↑"
        case .paused: isASCII ? "=" : "‖"
        case .retrying: isASCII ? "@" : "↻"
        case .done: isASCII ? "+" : "✓"
        case .failed: isASCII ? "x" : "✗"
        case .cancelled: isASCII ? "-" : "–"
        }
    }
}
