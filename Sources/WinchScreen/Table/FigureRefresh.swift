import WinchModel

/// Rows and totals as they are shown: figures that change with every byte are refreshed twice a second, everything
/// else at once.
///
/// The engine reports a moving transfer ten times a second. Digits that change so often cannot be read, and they
/// would be most of the output to the terminal. Bars are not affected: they follow the board's values.
struct FigureRefresh: Sendable {
    private var rows: [TransferID: TransferSnapshot] = [:]
    private var folders: [TransferID: FolderLine] = [:]
    private var totals: QueueTotals?
    /// Those of the details.
    private var connections: [OpenConnection] = []
    private var turn: Int64?
    /// Some shown figure is older than the board's.
    private(set) var isBehind = false
    /// The last `follow` has changed something that is shown.
    private(set) var showsNews = false

    /// How long figures stay unchanged.
    static let span = Duration.milliseconds(500)

    /// The instant that figures are computed for: `now` rounded down to a multiple of `span`, so that all figures
    /// change in the same frame. One frame with many changes costs less output than many frames with few.
    static func instant(_ now: Moment) -> Moment { Moment(nanoseconds: turn(of: now) &* span.nanoseconds) }

    static func next(after now: Moment) -> Moment { instant(now) + span }

    /// Takes over the rows and folders in view, and the rows that list these; no others are kept.
    mutating func follow(
        _ visible: some Sequence<TransferID>, folders lines: [FolderLine] = [], _ board: QueueCopy, at now: Moment
    ) {
        let turn = Self.turn(of: now)
        let isDue = turn != self.turn
        self.turn = turn
        isBehind = false
        showsNews = isDue
        // What was shown stays for now if `new` differs from it in figures only.
        func refresh<Value: Equatable>(_ shown: Value?, _ new: Value, _ differs: (Value) -> Bool) -> Value {
            guard !isDue, let shown, differs(shown) else {
                showsNews = true
                return new
            }
            isBehind = isBehind || shown != new
            return shown
        }
        let new = visible.compactMap { board[$0] }
        rows = Dictionary(new.map { ($0.id, refresh(rows[$0.id], $0, $0.differsInFiguresOnly)) }) { $1 }
        folders = Dictionary(lines.map { ($0.id, refresh(folders[$0.id], $0, $0.differsInFiguresOnly)) }) { $1 }
        let open = board.details?.connections ?? []
        connections = refresh(connections, open) { open.elementsEqual($0, by: { $0.differsInFiguresOnly(from: $1) }) }
        totals = refresh(totals, board.totals, board.totals.differsInFiguresOnly)
    }

    func shown(_ line: FolderLine) -> FolderLine {
        guard let shown = folders[line.id], line.differsInFiguresOnly(from: shown) else { return line }
        return shown
    }

    func shown(_ row: TransferSnapshot) -> TransferSnapshot {
        guard let shown = rows[row.id], row.differsInFiguresOnly(from: shown) else { return row }
        return shown
    }

    func connections(of details: TransferDetails) -> [OpenConnection] {
        let open = details.connections
        return open.elementsEqual(connections) { $0.differsInFiguresOnly(from: $1) } ? connections : open
    }

    func shown(_ totals: QueueTotals) -> QueueTotals {
        guard let shown = self.totals, totals.differsInFiguresOnly(from: shown) else { return totals }
        return shown
    }

    private static func turn(of moment: Moment) -> Int64 { moment.nanoseconds.quotient(flooredBy: span.nanoseconds) }
}

extension Int64 {
    /// - Parameter divisor: above 0.
    func quotient(flooredBy divisor: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}

extension TransferSnapshot {
    fileprivate func differsInFiguresOnly(from other: TransferSnapshot) -> Bool {
        guard phase == .moving, other.phase == .moving else { return self == other }
        var copy = self
        (copy.have, copy.rate, copy.finish, copy.limit) = (other.have, other.rate, other.finish, other.limit)
        if let parts = other.split {
            copy.split?.onDisk = parts.onDisk
            copy.split?.working = parts.working
        }
        // A figure that appears or disappears is shown at once.
        return copy == other && (rate == nil) == (other.rate == nil) && (finish == nil) == (other.finish == nil)
            && (have == .zero) == (other.have == .zero)
    }
}

extension OpenConnection {
    fileprivate func differsInFiguresOnly(from other: OpenConnection) -> Bool {
        var copy = self
        (copy.range, copy.rate) = (other.range, other.rate)
        return copy == other && (rate == nil) == (other.rate == nil) && (rate == .zero) == (other.rate == .zero)
    }
}

extension QueueTotals {
    fileprivate func differsInFiguresOnly(from other: QueueTotals) -> Bool {
        var copy = self
        (copy.completed, copy.fraction, copy.shares.unsettled) = (
            other.completed, other.fraction, other.shares.unsettled
        )
        (copy.bytesDone, copy.fetched, copy.guessed) = (other.bytesDone, other.fetched, other.guessed)
        (copy.rate, copy.meanRate, copy.finish) = (other.rate, other.meanRate, other.finish)
        copy.uploads?.completed = other.uploads?.completed ?? 0
        copy.uploads?.fraction = other.uploads?.fraction ?? 0
        return copy == other && (rate == nil) == (other.rate == nil) && (finish == nil) == (other.finish == nil)
    }
}
