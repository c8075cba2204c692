/// The whole state of the queue at one instant, as a subscriber without any earlier state needs it. Differences (`Update`) whose
/// `base` is `number` continue it.
///
/// Text in it comes from servers and batch files: the front end must escape it before it is shown.
package struct QueueSnapshot: Sendable, Codable {
    /// The number of this state; see `Update.number`.
    package var number: Int
    package var at: Moment
    /// The calendar time at which the clock of all moments in it reads zero. Another process needs it, because the clock's
    /// origin is different there. It changes when the machine sleeps, during which that clock stands still.
    package var origin: UnixTime
    /// All rows in the queue's order.
    package var rows: [TransferSnapshot]
    package var totals: QueueTotals
    /// The present settings, with the changes that were made while the queue runs.
    package var settings: QueueSettings
    /// The total rate in each of the last 120 seconds, ascending.
    package var seconds: [RateHistory.Second]
    /// Details of the watched transfers.
    package var details: [TransferDetails]
    /// The latest log entries, oldest first.
    package var log: [LogEntry]

    package init(
        number: Int, at: Moment, origin: UnixTime, rows: [TransferSnapshot], totals: QueueTotals,
        settings: QueueSettings,
        seconds: [RateHistory.Second] = [], details: [TransferDetails] = [], log: [LogEntry] = []
    ) {
        self.number = number
        self.at = at
        self.origin = origin
        self.rows = rows
        self.totals = totals
        self.settings = settings
        self.seconds = seconds
        self.details = details
        self.log = log
    }
}
