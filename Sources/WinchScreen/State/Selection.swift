import WinchCore

/// The row that keys act on, and the part of the list that is in view.
///
/// The row is held by its id; its place in the order is remembered and looked for near where it was, so that a change
/// of order costs as much as rows moved, not as the list is long.
struct Selection: Hashable, Sendable {
    private(set) var id: TransferID?
    /// Where `id` stands in the order.
    private(set) var index = 0
    /// The first row in view.
    private(set) var top = 0
    /// Was selected until rows were shown that it is not among, and nothing has been chosen of them.
    private var left: TransferID?
    /// Until a person takes the mark, it goes along with the haul when that would leave the view.
    var isFollowing = true
    /// The row keeps its line on the screen where it can; otherwise the view moves only as far as it must.
    var holdsLine = false
    /// No row before it is unsettled.
    private var settledBefore = 0

    /// Keeps to the same transfer after rows came, went or moved; if it went, the one now in its place is taken.
    ///
    /// - Parameter isAnew: other rows are shown than before. Whoever only looks at them finds the transfer selected again
    ///   as soon as it is among those that are shown.
    mutating func settle(in order: [TransferID], height: Int, isAnew: Bool = false) {
        guard !order.isEmpty else {
            (left, id, settledBefore) = (remembered, nil, 0)
            return
        }
        if isAnew || id == nil, let left, let found = Self.place(of: left, in: order, near: index) {
            (id, index) = (left, found)
            self.left = nil
        } else if let id, let found = Self.place(of: id, in: order, near: index) {
            if holdsLine { top += found - index }
            index = found
        } else {
            if isAnew { (left, index) = (remembered, 0) }
            index = min(max(index, 0), order.count - 1)
            id = order[index]
        }
        scroll(count: order.count, height: height)
    }

    /// What a person has chosen; where the mark went by itself is nothing to come back to.
    private var remembered: TransferID? { isFollowing ? nil : left ?? id }

    /// Puts the mark on a row that is in view.
    mutating func take(_ id: TransferID, in order: [TransferID], height: Int) {
        guard let place = Self.place(of: id, in: order, near: top) else { return }
        move(to: place, in: order, height: height)
    }

    /// Moves the view; the mark stays where it is as long as it is in view.
    mutating func scroll(by lines: Int, in order: [TransferID], height: Int) {
        guard height > 0, !order.isEmpty else { return }
        top = max(0, min(top + lines, order.count - height))
        let margin = min(2, (height - 1) / 2)
        let highest = top == 0 ? 0 : top + margin
        let lowest = top + height >= order.count ? order.count - 1 : top + height - 1 - margin
        move(to: min(max(index, highest), lowest), in: order, height: height)
    }

    mutating func move(to target: Int, in order: [TransferID], height: Int) {
        guard !order.isEmpty else { return }
        index = min(max(target, 0), order.count - 1)
        id = order[index]
        left = nil
        scroll(count: order.count, height: height)
    }

    /// Takes the mark to the first unsettled row when the haul has left the view.
    mutating func follow(_ board: Board, height: Int) {
        let order = board.order
        while settledBefore < order.count, board[order[settledBefore]]?.phase.isSettled ?? true { settledBefore += 1 }
        guard isFollowing, height > 0, settledBefore < order.count, settledBefore >= top + height else { return }
        move(to: settledBefore, in: order, height: height)
        // A few settled rows stay in view above; the rest of the view is what comes.
        top = min(max(0, settledBefore - height / 4), max(0, order.count - height))
    }

    /// Something before may be unsettled again.
    mutating func searchAnew() {
        settledBefore = 0
    }

    /// Brings the mark into view with a little around it, and leaves no empty lines below while there are rows above.
    private mutating func scroll(count: Int, height: Int) {
        guard height > 0 else { return top = index }
        let margin = min(2, (height - 1) / 2)
        top = min(top, index - margin)
        top = max(top, index - height + 1 + margin)
        top = max(0, min(top, count - height))
    }

    private static func place(of id: TransferID, in order: [TransferID], near index: Int) -> Int? {
        let start = min(max(index, 0), order.count - 1)
        for distance in 0..<order.count {
            let (below, above) = (start - distance, start + distance)
            if below >= 0, order[below] == id { return below }
            if above < order.count, order[above] == id { return above }
            if below < 0, above >= order.count { return nil }
        }
        return nil
    }
}
