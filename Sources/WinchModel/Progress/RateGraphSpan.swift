/// The time span of the rate graphs: that of the queue above the list, its curve in the title, and that of the details panel.
package enum RateGraphSpan {
    /// Two minutes, in seconds: `RateHistory` keeps as many, and no graph shows more.
    package static let seconds = 120
    /// A minute, in seconds: a graph makes its columns narrower until so many seconds fit, and wider ones only while fewer are
    /// known.
    package static let wholeAtMost = 60
}
