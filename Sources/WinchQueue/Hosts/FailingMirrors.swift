import WinchModel

/// Hosts that failed again and again, whichever file it was: the other mirrors of a file come first for a while.
///
/// What a host says of one file (not there, not allowed, another content) is remembered with that file; here it is only
/// counted.
struct FailingMirrors: Hashable, Sendable {
    private struct Record: Hashable {
        var inRow = 0
        var until: Moment
    }

    private var records: [String: Record] = [:]

    /// Faults in a row that make a host one of the last.
    static let faultLimit = 3
    /// Then it rests so long, and twice as long with each fault more.
    static let firstCooldown = Duration.seconds(60)
    static let longestCooldown = Duration.seconds(1800)

    mutating func failed(_ host: String, at now: Moment) {
        var record = records[host] ?? Record(until: now)
        record.inRow += 1
        if record.inRow >= Self.faultLimit {
            let doublings = min(record.inRow - Self.faultLimit, 10)
            record.until = now + min(Self.longestCooldown, Self.firstCooldown * (1 << doublings))
        }
        records[host] = record
    }

    /// It has brought a file.
    mutating func served(_ host: String) {
        if !records.isEmpty { records[host] = nil }
    }

    func isCoolingDown(_ host: String, at now: Moment) -> Bool {
        guard let record = records[host] else { return false }
        return record.inRow >= Self.faultLimit && now < record.until
    }

    /// No host has failed: nothing need be asked.
    var isEmpty: Bool { records.isEmpty }
}
