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

    package init(bytes: Int64, tolerance: Int64 = 0) {
        (self.bytes, self.tolerance) = (bytes, tolerance)
    }

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
