import Foundation
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A monkey at the keyboard` {
    private static let environment = ProcessInfo.processInfo.environment
    /// `WINCH_STEPS` and `WINCH_SEED`, as `make monkey` sets them.
    private static let steps = environment["WINCH_STEPS"].flatMap { Int($0) } ?? 100_000
    private static let seeds: [UInt64] =
        environment["WINCH_SEED"].flatMap { UInt64($0) }.map { seed in (0..<4).map { seed &+ $0 } }
        ?? [.random(in: 0...UInt64.max), 1, 2, 3]

    /// A canvas is drawn and checked only after every twentieth step, since otherwise a run would take minutes.
    @Test(arguments: seeds)
    func `never breaks the screen`(seed: UInt64) {
        var monkey = Monkey(seed: seed)
        for step in 0..<Self.steps / Self.seeds.count {
            monkey.step()
            guard step % 20 == 0, let fault = monkey.fault(withHits: step % 200 == 0) else { continue }
            Issue.record("seed \(seed), step \(step): \(fault)\n\(monkey.sitting.canvas.text)")
            return
        }
    }
}

/// Sends random events: keys, pastes, sizes, inconsistent updates, and clocks that jump.
private struct Monkey {
    var sitting: Sitting
    private var random: SeededNumbers
    private var rows: [TransferSnapshot] = []
    private var largest = 0

    init(seed: UInt64) {
        random = SeededNumbers(seed: seed)
        let look = Appearance(
            theme: [.standard, .rainbow, .mono].randomElement(using: &random) ?? .standard,
            isASCII: Bool.random(using: &random), isAnimated: Int.random(in: 0..<4, using: &random) > 0)
        sitting = Sitting([], look: look, title: "monkey \u{1B}[2J 猿", leavesWhenSettled: Bool.random(using: &random))
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<47: sitting.press(key())
        case 47..<53: sitting.press(.mouse(mouse()))
        case 53..<55: filter()
        case 55..<60: resize()
        case 60..<80: update()
        case 80..<94:
            sitting.wait(Double.random(in: 0..<1, using: &random))
            sitting.handle(.tick)
        case 95: sitting.now = .at(Double.random(in: -900..<1e6, using: &random))
        case 96: sitting.handle(.notice(text()))
        case 94: paths()
        case 97: sitting.handle(.interrupt)
        case 98: sitting.handle(.redraw)
        default: sitting = Sitting(rows, columns: 80, lines: 24, look: sitting.dashboard.look)
        }
    }

    /// The first error in the list or the canvas, or `nil`.
    ///
    /// - Parameter withHits: every cell is clicked as well.
    func fault(withHits: Bool) -> String? {
        if let fault = listFault() { return fault }
        let canvas = sitting.canvas
        guard canvas == sitting.canvas else { return "drawn twice, drawn differently" }
        guard canvas.columns == sitting.dashboard.columns, canvas.rows == sitting.dashboard.rows else { return "size" }
        for row in 0..<canvas.rows {
            let line = Array(canvas.line(row))
            guard line.count == canvas.columns else { return "width of line \(row)" }
            for (column, cell) in line.enumerated() {
                guard let character = cell.text else {
                    let left = column > 0 ? line[column - 1].text.flatMap(Glyph.init(checking:)) : nil
                    if left?.columns != 2 { return "half a character at \(column),\(row)" }
                    continue
                }
                guard let glyph = Glyph(checking: character) else { return "unsafe cell at \(column),\(row)" }
                if glyph.columns == 2, column + 1 >= line.count || line[column + 1].text != nil {
                    return "cut character at \(column),\(row)"
                }
                if sitting.dashboard.look.isASCII, !character.isASCII { return "not ASCII at \(column),\(row)" }
            }
        }
        if let cursor = canvas.cursor, canvas.columns > 0, canvas.rows > 0 {
            guard (0..<canvas.columns).contains(cursor.column), (0..<canvas.rows).contains(cursor.row) else {
                return "cursor at \(cursor)"
            }
        }
        if withHits, let fault = hitFault(canvas) { return fault }
        if let next = sitting.dashboard.nextFrame(board: sitting.board, after: sitting.now), next <= sitting.now {
            return "frame in the past"
        }
        return nil
    }

    /// Every click target lies inside the window and exists.
    private func hitFault(_ canvas: Canvas) -> String? {
        for row in -1...canvas.rows {
            for column in -1...canvas.columns {
                guard let target = canvas.hits.target(column: column, row: row) else { continue }
                guard (0..<canvas.columns).contains(column), (0..<canvas.rows).contains(row) else {
                    return "\(target) at \(column),\(row), outside"
                }
                if case .row(let id) = target, !sitting.dashboard.list.order.contains(id) {
                    return "\(target) at \(column),\(row) is not in the list"
                }
            }
        }
        return nil
    }

    private mutating func key() -> Key {
        let known = KeyMap.standard.bindings.flatMap(\.keys)
        return switch Int.random(in: 0..<20, using: &random) {
        case 0..<14: known.randomElement(using: &random) ?? .escape
        case 14: .paste(text())
        case 15: .character(text().first ?? "y")
        case 16: ["y", "n", "a", .enter, .escape].randomElement(using: &random) ?? "y"
        case 17: [.left, .right, .backspace, .delete, .tab, .function(9)].randomElement(using: &random) ?? .tab
        case 18: .control(["a", "e", "u", "w", "k", "h", "d", "x"].randomElement(using: &random) ?? "a")
        default: .escape
        }
    }

    private mutating func mouse() -> Mouse {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .wheelUp
        case 1: .wheelDown
        default:
            .click(column: Int.random(in: -2..<130, using: &random), row: Int.random(in: -2..<45, using: &random))
        }
    }

    private mutating func filter() {
        let words = ["state:", "state:fa", "!", "host:a", "name:", "!!x", "a", "state:zzz", "東", ":"]
        sitting.press(.escape, .escape, "/")
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
            sitting.type((words.randomElement(using: &random) ?? "") + " ")
        }
        if Bool.random(using: &random) { sitting.press(.enter) }
    }

    /// Completes a path, or sends a listing that was not requested.
    private mutating func paths() {
        let typed = text().filter { !$0.isNewline }
        if Bool.random(using: &random) {
            sitting.press(.escape, .escape, "a", "@", .paste(typed), .tab)
        }
        let names = (0..<Int.random(in: 0..<30, using: &random)).map { "\($0)" + EscapedName.escaping(text()) }
        sitting.handle(
            .paths(
                PathListing(
                    typed: typed, names: names, common: "",
                    fault: Int.random(in: 0..<5, using: &random) == 0 ? text() : nil)))
        if Bool.random(using: &random) { sitting.press(.tab, .tab, .backTab) }
    }

    /// Compares the list's flags and rows with those that the board implies.
    private func listFault() -> String? {
        let (list, board) = (sitting.dashboard.list, sitting.board)
        let known = board.order.filter { board[$0] != nil }
        guard Set(list.order).count == list.order.count else { return "a row twice in the list" }
        if list.isWhole, list.order.count != known.count, list.order != board.order { return "rows lost" }
        let filter = RowFilter(list.filterText)
        if list.order.contains(where: { id in
            board[id].map { !list.view.contains($0.phase) || !filter.matches($0) } ?? !list.isWhole
        }) {
            return "a row that does not belong"
        }
        if let tag = sitting.dashboard.tags.first(where: { board[$0] == nil && !board.order.contains($0) }) {
            return "\(tag) is tagged and gone"
        }
        if !list.order.isEmpty, sitting.dashboard.layout.form != .line {
            let selection = sitting.dashboard.selection
            let height = sitting.dashboard.layout.table.count
            guard (selection.top..<selection.top + height).contains(selection.index) else { return "mark out of view" }
        }
        return nil
    }

    private mutating func resize() {
        let sizes = [(80, 24), (120, 36), (40, 8), (39, 7), (1, 1), (0, 0), (200, 50), (-1, 5)]
        let (columns, lines) =
            switch Int.random(in: 0..<40, using: &random) {
            case 0: [(500, 200), (500, 1), (1, 200), (500, 9), (7, 200)].randomElement(using: &random) ?? (500, 200)
            case 1..<20: sizes.randomElement(using: &random) ?? (80, 24)
            default: (Int.random(in: 1...120, using: &random), Int.random(in: 1...40, using: &random))
            }
        sitting.handle(.resized(columns: columns, rows: lines))
    }

    private mutating func update() {
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where rows.count < 60:
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                largest += 1
                rows.append(row(largest))
            }
        case 1: rows.shuffle(using: &random)
        case 2: rows.removeAll { _ in Int.random(in: 0..<8, using: &random) == 0 }
        default:
            for index in rows.indices where Int.random(in: 0..<3, using: &random) == 0 {
                rows[index] = row(rows[index].id.number)
            }
        }
        var update = Update.all(rows, at: 0)
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
        if Int.random(in: 0..<20, using: &random) == 0 { update.order?.append(TransferID(-largest)) }
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
        details.durable = ByteCount(bytes: .max)
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
        update.details = details
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
        row.finish = Bool.random(using: &random) ? instant : nil
        row.stalledSince = Int.random(in: 0..<4, using: &random) == 0 ? instant : nil
        row.rebase = rebase()
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
    private mutating func text() -> String {
        let pieces = [
            "a", "file-name", ".tar.gz", "東京", "e\u{301}", "\u{301}", "\u{1B}[31m", "\u{202E}", "👨\u{200D}👩\u{200D}👧",
            "🇩🇪", "\r\n", "\t",
            "שלום", "\u{0}", "한글", "\u{1112}\u{1161}\u{11AB}", "क्षि", "\u{9B}", " ", "/", "\u{FEFF}", "👍🏽", "\u{10FFFF}",
        ]
        return (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }
}
