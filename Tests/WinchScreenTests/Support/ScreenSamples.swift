import Testing

@testable import WinchBatch
@testable import WinchModel
@testable import WinchScreen

extension Moment {
    /// The moment `seconds` after the start of the test.
    static func at(_ seconds: Double) -> Moment { Moment(seconds: 1000 + seconds) }
}

extension TransferSnapshot {
    static func sample(
        _ number: Int, _ name: String, _ phase: TransferPhase = .waiting(.slot), have: Int64 = 0, of size: Int64? = nil,
        rate: Double? = nil, finish: Double? = nil, stalled: Double? = nil, direction: Direction = .down,
        host: String = "mirror.example.org"
    ) -> TransferSnapshot {
        TransferSnapshot(
            id: TransferID(number), direction: direction, name: name, host: host, phase: phase,
            have: ByteCount(bytes: have),
            size: size.map { .declared(ByteCount(bytes: $0)) } ?? .unknown(estimate: ByteCount(bytes: 16384)),
            rate: rate.map(ByteRate.init(perSecond:)), stalledSince: stalled.map(Moment.at),
            finish: finish.map(Moment.at))
    }
}

extension Update {
    /// An update with all `rows`, and with totals counted from them as the engine does in accurate mode.
    static func all(_ rows: [TransferSnapshot], at seconds: Double = 0, change: (inout QueueTotals) -> Void = { _ in })
        -> Update
    {
        var totals = QueueTotals.counted(rows)
        change(&totals)
        return Update(
            rows: Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) }), order: rows.map(\.id), totals: totals,
            at: .at(seconds))
    }
}

extension QueueCopy {
    static func of(_ rows: [TransferSnapshot], change: (inout QueueTotals) -> Void = { _ in }) -> QueueCopy {
        var board = QueueCopy()
        board.apply(.all(rows, change: change))
        return board
    }
}

extension QueueTotals {
    static func counted(_ rows: [TransferSnapshot]) -> QueueTotals {
        var totals = QueueTotals()
        totals.count = rows.count
        for row in rows {
            switch row.phase {
            case .waiting: totals.waiting += 1
            case .connecting, .requested, .moving, .replying:
                totals.active += 1
                if row.stalledSince != nil { totals.stalled += 1 }
            case .verifying: totals.finishing += 1
            case .paused: totals.paused += 1
            case .backoff: totals.backoff += 1
            case .finished: totals.finished += 1
            case .failed: totals.failed += 1
            case .cancelled: totals.cancelled += 1
            }
            switch row.phase {
            case .failed, .cancelled: totals.total &+= row.have.bytes
            default:
                totals.total &+= row.size.known?.bytes ?? max(16384, row.have.bytes)
                totals.isEstimated = totals.isEstimated || row.size.known == nil
                if row.size.known == nil { totals.guessed &+= max(16384, row.have.bytes) - row.have.bytes }
            }
            let extent = max(1, row.size.guess.bytes, row.have.bytes)
            switch row.phase {
            case .finished: totals.shares.succeeded &+= row.have.bytes
            case .failed: totals.shares.failed &+= extent
            case .cancelled: totals.shares.cancelled &+= extent
            default: totals.shares.unsettled &+= row.have.bytes
            }
            totals.completed &+= row.have.bytes
            if let rate = row.rate { totals.rate = (totals.rate ?? .zero) + rate }
        }
        totals.fraction =
            Fraction(completed: totals.completed, total: totals.total, allSettled: totals.allSettled).value
        totals.finish = rows.compactMap(\.finish).max()
        (totals.bytesDone, totals.bytesTotal) = (totals.completed, totals.total)
        totals.areBytesEstimated = totals.isEstimated
        return totals
    }
}

/// A user at a terminal: the dashboard, its copy of the queue and a clock that the test moves.
struct Sitting {
    var dashboard: Dashboard
    var board = QueueCopy()
    var now = Moment.at(0)
    private(set) var actions: [ScreenAction] = []

    init(
        _ rows: [TransferSnapshot] = [], columns: Int = 80, lines: Int = 24, look: Appearance = Appearance(),
        title: String = "urls.txt",
        quitsWhenSettled: Bool = false, change: (inout QueueTotals) -> Void = { _ in }
    ) {
        dashboard = Dashboard(
            title: title, look: look, columns: columns, rows: lines, quitsWhenSettled: quitsWhenSettled)
        if !rows.isEmpty { update(.all(rows, change: change)) }
    }

    @discardableResult
    mutating func handle(_ event: ScreenEvent) -> [String] {
        let new = dashboard.handle(event, board: board, at: now)
        actions += new
        return new.map(\.words)
    }

    /// Presses keys one after the other; returns the actions of the last one.
    @discardableResult
    mutating func press(_ keys: Key...) -> [String] {
        var last: [String] = []
        for key in keys { last = handle(.key(key)) }
        return last
    }

    /// Clicks on `text`, `column` cells after its first; if the screen shows it several times, on the lowest.
    @discardableResult
    mutating func click(_ text: String, at column: Int = 0) -> [String] {
        for (row, line) in lines.enumerated().reversed() {
            guard let range = line.ranges(of: text).first else { continue }
            let start = line.distance(from: line.startIndex, to: range.lowerBound)
            return press(.mouse(.click(column: start + column, row: row)))
        }
        Issue.record("no '\(text)' on the screen")
        return []
    }

    /// Types text character by character.
    mutating func type(_ text: String) {
        for character in text { press(.character(character)) }
    }

    @discardableResult
    mutating func update(_ update: Update) -> [String] {
        board.apply(update)
        return handle(.updated(update))
    }

    mutating func update(_ rows: [TransferSnapshot], change: (inout QueueTotals) -> Void = { _ in }) {
        update(.all(rows, change: change))
    }

    /// A question for the user is due, and has been open for long enough to take keys.
    mutating func ask(_ question: UserQuestion) {
        dashboard.inquiries.append(question)
        handle(.tick)
        wait(1)
    }

    mutating func wait(_ seconds: Double) {
        now = now + .seconds(seconds)
    }

    var canvas: Canvas { dashboard.draw(board: board, at: now) }
    var lines: [String] { canvas.lines }
    var footer: String { lines.last ?? "" }
    /// The line of messages, above the footer.
    var message: String { lines.dropLast().last ?? "" }
    /// Seconds until the next frame; `nil`: none is due.
    var nextFrame: Double? { dashboard.nextFrame(board: board, after: now).map { ($0 - now).seconds } }
    var selected: Int? { dashboard.selection.id?.number }
}

extension ScreenAction {
    /// The action as text, for comparisons in tests.
    var words: String {
        switch self {
        case .send(let command): "\(command)".replacing("WinchModel.", with: "")
        case .add(let text): "add \(text)"
        case .listPaths(let path): "list \(path)"
        case .copy(let text): "copy \(text)"
        case .openFolder(let path): "open \(path)"
        case .setFrames(let number): "frames \(number)"
        case .setMouse(let isOn): "mouse \(isOn)"
        case .save(let settings): "save " + settings.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        case .leave: "leave"
        case .planHandOver: "plan to hand over"
        case .handOver: "hand over"
        case .reconnect: "reconnect"
        case .stopSession: "stop the session"
        case .quitAtOnce: "leaveAtOnce"
        case .suspend: "suspend"
        case .redraw: "redraw"
        }
    }
}

extension Theme {
    static let rainbow = named("rainbow") ?? standard
}
