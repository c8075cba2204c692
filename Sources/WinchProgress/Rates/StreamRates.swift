/// The rates of one stream, over longer and shorter times.
package struct StreamRates: Hashable, Sendable {
    /// The one that the time left is computed from.
    var regime: LongTermRate
    /// The moment's, to notice changes by: an interval and a half.
    var fast: FadingMean
    /// The one to show.
    var shown: ShownRate

    static let fastMemory = 0.15
}
