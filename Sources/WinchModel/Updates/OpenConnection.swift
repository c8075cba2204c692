/// An open connection of a transfer, as the details list it.
package struct OpenConnection: Hashable, Sendable, Codable {
    package enum Phase: Hashable, Sendable, Codable {
        /// It is being opened, or asks for its next part of the file.
        case connecting
        /// The request has been sent; the first byte of the response has not arrived.
        case requested
        case moving
        /// The body of an upload has been sent; the response has not arrived.
        case replying
    }

    /// Counts the connections of the transfer from 1.
    package var number: Int
    /// Positions in the file of the bytes that it is still to bring; `nil`: all that are missing, or the size is unknown.
    package var range: Range<Int64>?
    /// `nil` before one is known; 0 while it is stalled.
    package var rate: ByteRate?
    /// The server of its URL as in `TransferSnapshot.host`.
    package var host: String
    package var began: Moment
    package var phase: Phase

    package init(
        number: Int, range: Range<Int64>? = nil, rate: ByteRate? = nil, host: String, began: Moment, phase: Phase
    ) {
        self.number = number
        self.range = range
        self.rate = rate
        self.host = host
        self.began = began
        self.phase = phase
    }
}
