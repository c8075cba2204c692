/// Means of the same stream, over longer and shorter times.
package struct SmoothedRates: Hashable, Sendable {
    var regime: RegimeMean
    /// The moment's, to notice changes by: an interval and a half.
    var fast: FadingMean
    /// The one to show: four seconds, so that its digits can be read.
    var shown: FadingMean

    static let fastMemory = 0.15
    static let shownMemory = 4.0
}
