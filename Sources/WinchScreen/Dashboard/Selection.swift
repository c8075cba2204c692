import WinchModel

/// The selected row, which keys act on, and the part of the list that is in view.
struct Selection: Hashable, Sendable {
    private(set) var id: TransferID?
    private(set) var index = 0
    private(set) var top = 0
    /// The transfer that the user had selected before a view or filter hid it. It is selected again when it is shown
    /// again, unless the user has selected another row meanwhile.
    private var left: TransferID?
    /// The cursor follows the active rows when they would leave the view; until the user moves the cursor.
    var isFollowing = true
    /// The selected row keeps its line on the screen where possible. Otherwise the view moves only as far as needed
    /// to show the row.
    var holdsLine = false
    /// All lines before this index are settled, in the order of `searched`. Reset where one may have become unsettled.
    var settledBefore = 0
    /// The revision of the order in which `follow` has searched.
    private var searched = 0

    /// Keeps the same transfer selected after rows were added, removed or moved. If it was removed, the row now at
    /// its index is selected.
    ///
    /// - Parameter isAnew: the view or the filter has changed. A selected transfer that is hidden by it is remembered
    ///   and selected again as soon as it is shown.
    mutating func settle(in order: [TransferID], height: Int, isNewView: Bool = false) {
        guard !order.isEmpty else {
            (left, id, settledBefore) = (remembered, nil, 0)
            return
        }
        if isNewView || id == nil, let left, let found = Self.place(of: left, in: order, near: index) {
            (id, index) = (left, found)
            self.left = nil
        } else if let id, let found = Self.place(of: id, in: order, near: index) {
            if holdsLine { top += found - index }
            index = found
        } else {
            if isNewView { (left, index) = (remembered, 0) }
            index = min(max(index, 0), order.count - 1)
            id = order[index]
        }
        scroll(count: order.count, height: height)
    }

    /// The transfer to select again later: the user's choice. `nil` while the cursor moves by itself.
    private var remembered: TransferID? { isFollowing ? nil : left ?? id }

    /// Selects a row; does nothing if the order does not contain it.
    mutating func take(_ id: TransferID, in order: [TransferID], height: Int) {
        guard let place = Self.place(of: id, in: order, near: top) else { return }
        move(to: place, in: order, height: height)
    }

    /// Scrolls the view; the cursor stays on its row as long as that is in view.
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

    /// Moves the cursor to the first unsettled line when that is below the view.
    ///
    /// - Parameters:
    ///   - revision: differs if the order has changed other than at its end: it is searched from the first line again.
    ///   - isSettled: whether a line is.
    mutating func follow(
        in order: [TransferID], revision: Int, height: Int, isSettled: (TransferID) -> Bool
    ) {
        guard isFollowing, height > 0 else { return }
        if revision != searched { (settledBefore, searched) = (0, revision) }
        while settledBefore < order.count, isSettled(order[settledBefore]) { settledBefore += 1 }
        guard settledBefore < order.count, settledBefore >= top + height else { return }
        move(to: settledBefore, in: order, height: height)
        // The upper quarter of the view shows settled lines, the rest shows what is still to come.
        top = min(max(0, settledBefore - height / 4), max(0, order.count - height))
    }

    /// Brings the cursor into view with up to two rows around it, and leaves no empty lines at the end while there
    /// are rows above.
    private mutating func scroll(count: Int, height: Int) {
        guard height > 0 else { return top = index }
        let margin = min(2, (height - 1) / 2)
        top = min(top, index - margin)
        top = max(top, index - height + 1 + margin)
        top = max(0, min(top, count - height))
    }

    private static func place(of id: TransferID, in order: [TransferID], near index: Int) -> Int? {
        // Most rows stay where they are.
        order.indices.contains(index) && order[index] == id ? index : order.firstIndex(of: id)
    }
}
