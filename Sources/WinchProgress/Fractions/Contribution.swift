package import WinchModel

/// What one transfer adds to the queue's accurate sums, in bytes.
package struct Contribution: Hashable, Sendable {
    /// 0...`total`.
    package var completed: Int64
    package var total: Int64
    package var isEstimated: Bool

    package init(completed: Int64, total: Int64, isEstimated: Bool = false) {
        self.completed = completed
        self.total = total
        self.isEstimated = isEstimated
    }

    package static let nothing = Contribution(completed: 0, total: 0)

    /// Of a transfer that is not settled.
    package init(have: ByteCount, size: SizeKnowledge) {
        switch size {
        case .unknown(let estimate):
            self.init(completed: have.bytes, total: max(estimate.bytes, have.bytes), isEstimated: true)
        case .probed(let size), .declared(let size), .exact(let size):
            self.init(completed: min(have.bytes, size.bytes), total: size.bytes)
        }
    }
}

/// How a settled transfer ended, for the simple count's three colours.
package enum SettledClass: Hashable, Sendable {
    case ok, failed, cancelled
}
