public import WinchCore

/// A ledger and what is needed to write in it.
public struct Bookkeeping: Sendable {
    let ledger: any LedgerPort
    let firstKey: LedgerKey
    let date: @Sendable () -> UnixTime

    /// - Parameters:
    ///   - firstKey: no key from here on has been used.
    ///   - date: the calendar's clock.
    public init(
        ledger: any LedgerPort, firstKey: LedgerKey, date: @escaping @Sendable () -> UnixTime
    ) {
        self.ledger = ledger
        self.firstKey = firstKey
        self.date = date
    }
}
