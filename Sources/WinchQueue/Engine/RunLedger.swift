package import WinchModel

/// The ledger of a run, with the first free key and the clock that writing to it needs.
package struct RunLedger: Sendable {
    let ledger: any LedgerPort
    let firstKey: LedgerKey
    let date: @Sendable () -> UnixTime
    let allowances: [LearnedHostLimit]

    /// - Parameters:
    ///   - firstKey: the first key that is free; so are all keys above it.
    ///   - date: reads the calendar clock.
    ///   - allowances: what earlier runs found hosts to allow.
    package init(
        ledger: any LedgerPort, firstKey: LedgerKey, date: @escaping @Sendable () -> UnixTime,
        allowances: [LearnedHostLimit] = []
    ) {
        self.ledger = ledger
        self.firstKey = firstKey
        self.date = date
        self.allowances = allowances
    }
}
