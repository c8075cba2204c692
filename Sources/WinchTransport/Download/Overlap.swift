/// Bytes of the body that are on disk already, and are compared instead of written.
struct Overlap {
    /// The next byte to compare.
    var position: Int64
    /// Where the kept bytes end.
    let end: Int64
    /// The answer, to be opened once all is the same; `nil`: the body is the whole file from its start, so that it
    /// fits whatever comes, up to the first byte that differs.
    let opening: Opening?

    struct Opening {
        /// Where the body began.
        var start: Int64
        var end: Int64?
        var total: Int64?
    }
}
