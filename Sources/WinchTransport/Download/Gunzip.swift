import CTransport

/// gzip in memory, for batch files.
///
/// - Source: RFC 1952.
package enum Gunzip {
    /// Why the data cannot be read.
    package enum Fault: Error, Hashable, Sendable {
        case damaged
        /// More would come out than the limit.
        case tooLarge(limit: Int)

        package var message: String {
            switch self {
            case .damaged: "not gzip, or damaged"
            case .tooLarge(let limit): "unpacks to more than \(limit) bytes"
            }
        }
    }

    /// All members of the stream, one after the other.
    ///
    /// - Parameter limit: of the result, in bytes: a few kilobytes can unpack to gigabytes.
    package static func inflate(_ bytes: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
        guard let inflater = winch_inflater_new() else { throw .damaged }
        defer { winch_inflater_free(inflater) }
        var result: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var taken = 0
        while true {
            var left = bytes.count - taken
            var space = piece.count
            let state = bytes.withUnsafeBufferPointer { input in
                piece.withUnsafeMutableBufferPointer { output in
                    winch_inflate(inflater, input.baseAddress.map { $0 + taken }, &left, output.baseAddress, &space)
                }
            }
            let came = piece.count - space
            let hasMoved = came > 0 || left < bytes.count - taken
            taken = bytes.count - left
            guard result.count + came <= limit else { throw .tooLarge(limit: limit) }
            result.append(contentsOf: piece[..<came])
            switch state {
            case WINCH_INFLATE_END:
                // Zeros after the last member are padding, as tape archives have it.
                if bytes[taken...].allSatisfy({ $0 == 0 }) { return result }
                winch_inflater_reset(inflater)
            case WINCH_INFLATE_MORE where hasMoved: continue
            default: throw .damaged
            }
        }
    }
}
