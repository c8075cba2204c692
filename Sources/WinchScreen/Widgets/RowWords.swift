import WinchCore

/// What a row says of its state: a sign for the mark and words, in the longest form that fits.
struct RowWords {
    let sign: Character
    let style: Style
    /// From long to short, never empty.
    let forms: [String]

    /// - Parameter cause: why the bar has just moved back.
    init(_ transfer: RowState, cause: Rebase?, now: Moment, look: Look) {
        let (symbols, theme) = (look.symbols, look.theme)
        func words(_ sign: Character, _ style: Style, _ forms: String...) -> (Character, Style, [String]) {
            (sign, style, forms)
        }
        let arrow = transfer.direction == .down ? symbols.down : symbols.up
        let moves = transfer.direction == .down ? "moving" : "sending"
        (sign, style, forms) =
            switch transfer.phase {
            case .waiting(.slot): words(symbols.waiting, theme.quiet, "waiting for a slot", "waiting")
            case .waiting(.hostSlot):
                words(symbols.waiting, theme.quiet, "waiting for the host's slots", "waiting for host", "waiting")
            case .waiting(.sizing): words(symbols.waiting, theme.quiet, "asking for its size", "sizing")
            case .waiting(.space(let folder)):
                words(
                    symbols.waiting, theme.warning, "waiting for space in " + folder, "waiting for space", "no space")
            case .waiting(.held): words(symbols.waiting, theme.quiet, "held")
            case .connecting: words(symbols.working, theme.moving, "connecting")
            case .requested:
                words(symbols.working, theme.moving, "asked, waiting for answer", "asked, waiting", "asked")
            case .moving:
                if let since = transfer.stalledSince {
                    words(arrow, theme.warning, "stalled " + Format.duration(now - since), "stalled")
                } else if let cause {
                    words(arrow, theme.warning, cause.words(in: .accurate), cause.cause.words)
                } else if transfer.isAtRateLimit {
                    words(arrow, theme.paused, moves + " at your rate limit", "your limit", moves)
                } else {
                    words(arrow, theme.moving, moves)
                }
            case .paused: words(symbols.paused, theme.paused, "paused")
            case .backoff(let until, let attempt, let limit, let failure):
                Self.backoff(until: until, attempt: attempt, limit: limit, failure: failure, now: now, look: look)
            case .replying: words(symbols.working, theme.moving, "sent, waiting for answer", "sent, waiting", "sent")
            case .verifying:
                if let fraction = transfer.verifiedFraction {
                    words(
                        symbols.working, theme.moving, "checking \(Int(fraction * 100))%",
                        "check \(Int(fraction * 100))%")
                } else {
                    words(symbols.working, theme.moving, "checking")
                }
            case .finished(.saved) where transfer.warning != nil:
                words(
                    symbols.done, theme.warning, "done, but " + (transfer.warning?.message ?? ""),
                    "done, but " + (transfer.warning?.shortMessage ?? ""), transfer.warning?.shortMessage ?? "", "done?"
                )
            case .finished(.saved): words(symbols.done, theme.done, "done")
            case .finished(.skipped): words(symbols.done, theme.done, "skipped: there already", "skipped")
            case .finished(.alreadyComplete): words(symbols.done, theme.done, "done: was there whole", "done")
            case .failed(let failure):
                // What happened, what to do about it left out; then in fewest words.
                words(
                    symbols.failed, theme.failure, failure.message,
                    String(failure.message.prefix { $0 != ";" }), failure.shortMessage)
            case .cancelled: words(symbols.cancelled, theme.cancelled, "cancelled")
            }
    }

    private static func backoff(
        until: Moment, attempt: Int, limit: Int, failure: TransferFailure, now: Moment, look: Look
    ) -> (Character, Style, [String]) {
        let wait = Format.countdown(until - now)
        let tries = limit > 0 ? "(\(attempt)/\(limit))" : "(\(attempt))"
        let forms =
            if let (long, short, mark) = failure.patience {
                [
                    "\(long), retry in \(wait) \(tries)", "\(short), retry in \(wait) \(tries)",
                    "\(short), retry in \(wait)", "\(mark) \(wait)", mark,
                ]
            } else {
                ["retry in \(wait) \(tries): \(failure.message)", "retry in \(wait) \(tries)", "retry \(wait)"]
            }
        return (look.symbols.retrying, look.theme.warning, forms)
    }
}

extension TransferFailure {
    /// A server that answered, and asks for patience; in many words, in some, in one.
    fileprivate var patience: (long: String, short: String, mark: String)? {
        switch self {
        case .httpStatus(429): ("server limits us (429)", "server limit", "429")
        case .httpStatus(503): ("server busy (503)", "busy", "busy")
        default: nil
        }
    }
}
