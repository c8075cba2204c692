import WinchModel

extension AttemptRecord {
    /// - Parameter kept: of an earlier run, or of a transfer that is settled: whatever ran then runs no more.
    init(_ kept: StoredAttempt, _ calendar: CalendarConversion) {
        self.init(
            number: kept.number, host: kept.host, began: calendar.moment(of: kept.began),
            ended: kept.ended.map(calendar.moment), from: kept.from, have: kept.have,
            outcome: kept.outcome == .running ? .interrupted : kept.outcome)
    }

    func kept(_ calendar: CalendarConversion) -> StoredAttempt {
        StoredAttempt(
            number: number, host: host, began: calendar.date(of: began), ended: ended.map(calendar.date), from: from,
            have: have, outcome: outcome)
    }
}
