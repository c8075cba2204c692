package import WinchModel

/// The request of one connection for bytes of a file: what it still has to bring.
package struct Segment: Hashable, Sendable {
    /// The number of the connection, as in `ConnectionID`.
    package let number: Int
    /// What is still to come; empty when the connection has brought all it was asked for and waits for another piece.
    package internal(set) var range: Range<Int64>
    /// The server sends to the end of the file whatever is needed: a GET without an end, or FTP's REST. Such a request can only
    /// be cut by closing the connection, at the cost of the bytes on the way.
    package internal(set) var isOpenEnded: Bool
    /// It is to be closed when it has brought its range, and gets no more.
    package internal(set) var isRetiring = false
    /// Where the request ends at the server.
    var askedEnd: Int64
    var pace: SegmentRate

    /// It is to be closed before its request ends, so that another cut costs nothing more.
    var isCut: Bool { range.upperBound < askedEnd }

    /// Bytes a second; 0 in a stall; `nil` before anything is known.
    package func rate(at now: Moment) -> Double? { pace.rate(at: now) }
}

/// A piece of the file for one connection to ask for.
package struct SegmentAssignment: Hashable, Sendable {
    package var number: Int
    package var range: Range<Int64>
    /// The request is to be sent without an end: the transport stops it at the end of `range`, which may be lowered.
    package var isOpenEnded: Bool
    /// A running connection lost its tail to this one; `nil`: the bytes were asked of no connection.
    package var cut: SegmentEnd?
}

/// A running connection is to end elsewhere than it was told.
package struct SegmentEnd: Hashable, Sendable {
    /// The number of the connection.
    package var number: Int
    /// The position in the file where it ends now. At or below what it has brought when it stalls: it is to be closed at once.
    package var end: Int64
}
