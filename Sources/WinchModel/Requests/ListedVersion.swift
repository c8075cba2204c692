/// What a folder's listing says of the content of one file.
package struct ListedVersion: Hashable, Sendable, Codable {
    /// `nil`: the listing names none.
    package var size: ListedSize?
    /// When the file was changed; `nil`: the listing does not say.
    package var time: ListedTime?
    /// A hash of the strong validator; `nil`: there is none.
    package var tag: UInt64?

    package init(size: ListedSize? = nil, time: ListedTime? = nil, tag: UInt64? = nil) {
        (self.size, self.time, self.tag) = (size, time, tag)
    }
}

/// The size of a file in a listing, which may be rounded, as in `1.2M`.
package struct ListedSize: Hashable, Sendable, Codable {
    /// At least 0.
    package var bytes: Int64
    /// The size may differ from `bytes` by as many bytes in either direction; 0: it is exact.
    package var tolerance: Int64 = 0

    package init(bytes: Int64, tolerance: Int64 = 0) { (self.bytes, self.tolerance) = (bytes, tolerance) }

    package var isExact: Bool { tolerance == 0 }

    /// Whether a file of this size may be the listed one.
    package func contains(_ size: Int64) -> Bool {
        let (difference, overflow) = size.subtractingReportingOverflow(bytes)
        return !overflow && difference.magnitude <= tolerance.magnitude
    }
}

/// The time of a file in a listing.
package struct ListedTime: Hashable, Sendable, Codable {
    /// How exact the time is.
    package enum Precision: UInt8, Hashable, Sendable, Codable {
        case second, minute, day
    }

    /// Since 1970-01-01 00:00:00 UTC, in whole seconds; without a zone as if it were UTC.
    package var seconds: Int64
    package var precision: Precision
    /// The listing says in which time zone the time is, or its form prescribes one.
    package var isZoned: Bool

    package init(seconds: Int64, precision: Precision, isZoned: Bool) {
        (self.seconds, self.precision, self.isZoned) = (seconds, precision, isZoned)
    }
}

/// What the file of a name on the disk is to the one that a listing names.
package enum LocalStanding: Hashable, Sendable {
    /// There is none.
    case missing
    case same
    /// It is another version, or nothing tells that it is the same.
    case changed
}

extension ListedVersion {
    /// By itself it tells a later run whether the file has changed since; without time and tag only the server can say that.
    package var tellsChange: Bool { time != nil || tag != nil }

    /// - Parameters:
    ///   - local: the file that would be replaced; `nil`: there is none.
    ///   - earlier: how an earlier run has finished the same file; `nil`: it is not known. It counts as long as the file is
    ///     as that run left it: then what was listed at that time is compared, and the file's own time, which with
    ///     `--no-times` is that of its writing, need not be the server's.
    package func judge(local: FileIdentity?, earlier: LedgerEntry?) -> LocalStanding {
        guard let local else { return .missing }
        if let earlier, earlier.describes(local), let then = earlier.spec.listedVersion,
            let isUnchanged = isSame(as: then)
        {
            return isUnchanged ? .same : .changed
        }
        let modified = local.modified.floored(to: 1_000_000_000) / 1_000_000_000
        guard let size, let time, size.contains(local.length), time.contains(modified) else { return .changed }
        return .same
    }

    /// Whether two listings name the same content; `nil`: they have too little in common.
    private func isSame(as other: ListedVersion) -> Bool? {
        if let tag, let otherTag = other.tag { return tag == otherTag }
        guard let time, let otherTime = other.time, (size == nil) == (other.size == nil) else { return nil }
        guard let size, let otherSize = other.size else { return time.agrees(with: otherTime) }
        return time.agrees(with: otherTime) && size.agrees(with: otherSize)
    }
}

extension ListedSize {
    /// Two listings that round do it in the same way.
    fileprivate func agrees(with other: ListedSize) -> Bool {
        isExact == other.isExact ? bytes == other.bytes : isExact ? other.contains(bytes) : contains(other.bytes)
    }
}

extension ListedTime {
    /// The offsets of time zones are multiples of it.
    private static let zoneStep: UInt64 = 15 * 60
    /// The farthest from UTC.
    private static let mostZone: UInt64 = 14 * 3600

    /// Whether a file that was changed then may be the listed one.
    ///
    /// - Parameter modified: in seconds since 1970.
    package func contains(_ modified: Int64) -> Bool {
        agrees(with: ListedTime(seconds: modified, precision: .second, isZoned: true))
    }

    /// As far as the less exact of the two says. Where one has a zone and the other has none, any zone is possible.
    fileprivate func agrees(with other: ListedTime) -> Bool {
        let unit = max(precision.seconds, other.precision.seconds)
        let (difference, overflow) = seconds.floored(to: unit)
            .subtractingReportingOverflow(other.seconds.floored(to: unit))
        guard !overflow else { return false }
        guard isZoned != other.isZoned else { return difference == 0 }
        if unit == Precision.day.seconds { return difference.magnitude <= unit.magnitude }
        return difference.magnitude <= Self.mostZone && difference.magnitude % Self.zoneStep == 0
    }
}

extension ListedTime.Precision {
    fileprivate var seconds: Int64 {
        switch self {
        case .second: 1
        case .minute: 60
        case .day: 24 * 3600
        }
    }
}

extension Int64 {
    /// The multiple of `unit` at or below it.
    fileprivate func floored(to unit: Int64) -> Int64 {
        let rest = self % unit
        return self &- (rest < 0 ? rest + unit : rest)
    }
}
