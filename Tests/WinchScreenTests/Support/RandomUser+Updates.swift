@testable import WinchModel
@testable import WinchScreen

/// Random updates of the queue, inconsistent ones as well.
extension RandomUser {
    mutating func update() {
        var added: [TransferID] = []
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where rows.count < 60:
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                largest += 1
                rows.append(row(largest))
                added.append(TransferID(largest))
            }
        case 1: rows.shuffle(using: &random)
        case 2: rows.removeAll { _ in Int.random(in: 0..<8, using: &random) == 0 }
        default:
            for index in rows.indices where Int.random(in: 0..<3, using: &random) == 0 {
                rows[index] = row(rows[index].id.number)
            }
        }
        var update = Update.all(rows, at: 0)
        // In a sorted list they have their places a second later.
        if !added.isEmpty, sitting.dashboard.list.sort.column == .queue { update.order = .appended(added) }
        let kept = Set(rows.map(\.id))
        update.removed = sitting.board.order.filter { !kept.contains($0) }
        let fractions = [update.totals.fraction, 0, 1, -3, 2, .nan, .infinity]
        update.totals.fraction = fractions.randomElement(using: &random) ?? 0
        update.totals.mode = Bool.random(using: &random) ? .simple : .accurate
        update.totals.isIndeterminate = Int.random(in: 0..<8, using: &random) == 0
        update.totals.rebase = rebase()
        update.totals.sizing = Bool.random(using: &random) ? .init(answered: 3, asked: 99_999) : nil
        update.totals.rateLimit = Bool.random(using: &random) ? ByteRate(perSecond: 1e12) : nil
        update.totals.isHeld = Int.random(in: 0..<8, using: &random) == 0
        // Sometimes the order contains an id without a row.
        if Int.random(in: 0..<20, using: &random) == 0 { update.append(.appended([TransferID(-largest)])) }
        enliven(&update)
        sitting.update(update)
    }

    /// Adds events, rates and details, inconsistent as well.
    private mutating func enliven(_ update: inout Update) {
        let kinds: [FeedEvent.Kind] = [
            .started(attempt: -1), .redirected(url: text()), .failed(.other(text())), .paused, .sized,
            .finished(.saved(path: text())), .rebase(.fileChanged),
            .retrying(in: .seconds(-5), failure: .other(text())),
        ]
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
            update.events.append(
                FeedEvent(
                    id: rows.randomElement(using: &random)?.id, at: sitting.now,
                    kind: kinds.randomElement(using: &random) ?? .paused, have: ByteCount(bytes: -1)))
        }
        let rates = [0, 1, 1e6, 1e300, .infinity, -.infinity, .nan, -4]
        update.seconds = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
            .init(
                number: Int64.random(in: -10...2000, using: &random),
                rate: ByteRate(perSecond: rates.randomElement(using: &random) ?? 0))
        }
        guard Bool.random(using: &random), let id = rows.randomElement(using: &random)?.id else { return }
        let sizes: [Int64] = [0, 1, -7, 4096, .max]
        var details = TransferDetails(
            id: id, urls: (0..<Int.random(in: 0..<5, using: &random)).map { _ in text() },
            mirror: Int.random(in: -1..<5, using: &random), folder: text(), path: text(), partPath: text(),
            size: .declared(ByteCount(bytes: sizes.randomElement(using: &random) ?? 0)))
        details.ranges = [.min..<3, 5..<9, 100..<Int64.max]
        details.durable = [0..<Int64.max]
        details.location = text()
        details.facts = ConnectionFacts(
            address: text(), port: -1, protocolName: text(), tlsCipher: text(), status: 99_999,
            headers: [HeaderField(name: text(), value: text())], validator: .strongETag(text()))
        details.attempts = (0..<Int.random(in: 0..<25, using: &random)).map { number in
            AttemptRecord(
                number: number, host: text(), began: sitting.now, ended: .at(-1e9), have: ByteCount(bytes: .min),
                outcome: number % 2 == 0 ? .failed(.other(text())) : .complete)
        }
        details.seconds = update.seconds
        details.connections = (0..<Int.random(in: 0..<9, using: &random)).map { number in
            OpenConnection(
                number: number - 1, range: [nil, .min..<4, 5..<Int64.max].randomElement(using: &random) ?? nil,
                rate: rates.randomElement(using: &random).map { ByteRate(perSecond: $0) }, host: text(),
                began: .at(Double(number) * -1e8), phase: Bool.random(using: &random) ? .moving : .requested)
        }
        details.connectionReason = Bool.random(using: &random) ? text() : nil
        update.details = [details]
    }

    private mutating func row(_ number: Int) -> TransferSnapshot {
        let amounts: [Int64] = [0, 1, 4096, 1 << 20, 1 << 40, .max, -5]
        let instant = Moment.at(Double.random(in: -100..<100_000, using: &random))
        let phases: [TransferPhase] = [
            .waiting(.slot), .waiting(.hostSlot), .waiting(.held), .connecting, .requested, .moving, .moving, .paused,
            .backoff(until: instant, attempt: 2, limit: 5, failure: .other(text())), .replying, .verifying,
            .finished(.saved(path: text())), .finished(.skipped(path: "x")), .finished(.alreadyComplete(path: "x")),
            .failed(.other(text())), .failed(.httpStatus(404)), .cancelled,
        ]
        var row = TransferSnapshot.sample(
            number, text(), phases.randomElement(using: &random) ?? .connecting,
            have: amounts.randomElement(using: &random) ?? 0, of: amounts.randomElement(using: &random),
            rate: Bool.random(using: &random) ? 1e9 : nil, direction: Bool.random(using: &random) ? .down : .up,
            host: text())
        if Bool.random(using: &random) { row.size = .unknown(estimate: .zero) }
        row.folder = ["", "a", "a/b", "/c/d", text()].randomElement(using: &random) ?? ""
        row.finish = Bool.random(using: &random) ? instant : nil
        row.stalledSince = Int.random(in: 0..<4, using: &random) == 0 ? instant : nil
        row.rebase = rebase()
        if Int.random(in: 0..<3, using: &random) == 0 {
            let place = Int64.random(in: -10..<1 << 21, using: &random)
            row.split = SplitProgress(
                connections: Int.random(in: -1..<17, using: &random),
                onDisk: [.min..<3, 5..<max(6, place), 4096..<Int64.max], working: [-4, place, .max], reason: text())
        }
        return row
    }

    private mutating func rebase() -> Rebase? {
        let causes: [Rebase.Cause] = [.rangeIgnored, .added(3), .lostOnRetry, .modeChanged]
        guard Int.random(in: 0..<3, using: &random) == 0, let cause = causes.randomElement(using: &random) else {
            return nil
        }
        return Rebase(cause: cause, at: sitting.now, completed: -600, total: 5)
    }

    /// Short text with all kinds of characters that can disturb a terminal.
    mutating func text() -> String {
        let pieces = [
            "a", "file-name", ".tar.gz", "東京", "e\u{301}", "\u{301}", "\u{1B}[31m", "\u{202E}", "👨\u{200D}👩\u{200D}👧",
            "🇩🇪", "\r\n", "\t",
            "שלום", "\u{0}", "한글", "\u{1112}\u{1161}\u{11AB}", "क्षि", "\u{9B}", " ", "/", "\u{FEFF}", "👍🏽", "\u{10FFFF}",
        ]
        return (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }
}
