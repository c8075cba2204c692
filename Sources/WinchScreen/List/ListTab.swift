import WinchModel

/// One of the tabs: which rows the table shows.
enum ListTab: Int, Hashable, Sendable, CaseIterable {
    case all, active, waiting, failed, done

    /// The word on the tab.
    var word: String {
        switch self {
        case .all: "All"
        case .active: "Active"
        case .waiting: "Waiting"
        case .failed: "Failed"
        case .done: "Done"
        }
    }

    /// The key that shows it.
    var key: Key { .character(Character(String(rawValue + 1))) }

    /// Waiting rows are neither active nor settled, so they include paused ones and those between two attempts.
    /// Cancelled rows are with the failed ones: neither have their file, and both can be retried.
    func contains(_ phase: TransferPhase) -> Bool {
        switch self {
        case .all: true
        case .active: phase.isActive
        case .waiting: !phase.isActive && !phase.isSettled
        case .failed:
            switch phase {
            case .failed, .cancelled: true
            default: false
            }
        case .done: if case .finished = phase { true } else { false }
        }
    }

    /// The number of rows that the view contains.
    func count(in totals: QueueTotals) -> Int {
        switch self {
        case .all: totals.count
        case .active: totals.working
        case .waiting: totals.waiting + totals.paused + totals.backoff
        case .failed: totals.failed + totals.cancelled
        case .done: totals.finished
        }
    }

    /// The tab `places` further on; wraps around.
    func cycled(by places: Int) -> ListTab {
        let count = Self.allCases.count
        return Self.allCases[((rawValue + places) % count + count) % count]
    }
}
