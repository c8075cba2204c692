/// Why a file is fetched over one connection only.
package enum SplitObstacle: Hashable, Sendable, Codable {
    /// The size of the file is not known.
    case unknownSize
    /// The response is HTTP/1.0.
    case oldProtocol
    /// The response does not say that parts of the file can be requested.
    case noRanges
    /// Neither a strong ETag or a safe Last-Modified date, nor a demanded checksum: parts of two versions could be mixed.
    case noValidator
    /// The body is encoded, so positions in it are not positions in the file.
    case encoded
    /// The address is signed for one request.
    case signedAddress
    /// The server answered another connection with something else than the requested part.
    /// - Parameter reason: for the user.
    case refused(reason: String)

    /// After "one connection: ".
    package var words: String {
        switch self {
        case .unknownSize: "the size is not known"
        case .oldProtocol: "the server speaks HTTP/1.0"
        case .noRanges: "the server does not offer parts of the file"
        case .noValidator: "the server names no version of the file, and no checksum is demanded"
        case .encoded: "the body is encoded"
        case .signedAddress: "the address is signed for one request"
        case .refused(let reason): reason
        }
    }
}
