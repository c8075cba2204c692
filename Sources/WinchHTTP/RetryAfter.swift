import WinchModel

/// The wait that a server asks for in a Retry-After header.
///
/// - Source: RFC 9110, section 10.2.3.
package enum RetryAfter {
    /// A year in seconds; longer waits are cut to it, which prevents overflow.
    static let longest: Int64 = 365 * 86_400

    /// - Parameters:
    ///   - text: seconds (`120`) or a date.
    ///   - now: seconds since 1970, by the wall clock.
    /// - Returns: the wait from `now` on, not negative; `nil` when the text has neither form.
    package static func wait(_ text: String, now: Int64) -> Duration? {
        if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
            return .seconds(min(Int64(text) ?? longest, longest))
        }
        guard let date = ListingDates.http(text) else { return nil }
        return .seconds(min(max(0, date &- now), longest))
    }
}
