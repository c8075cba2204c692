@testable import WinchModel

/// An event of a worked vector, in terms that both models of progress understand. Numbers identify requests, from 1.
enum Move {
    /// A download joins, with this many bytes of it on disk from before.
    case add(part: Int64, of: Int64?)
    case addUpload(of: Int64)
    /// A HEAD was answered with this Content-Length.
    case sized(Int, Int64?, status: Int)
    /// The headers of a GET's body, with its Content-Length.
    case opened(Int, Int64?, status: Int)
    /// This many more bytes of that body.
    case read(Int, Int64)
    /// The body is complete.
    case done(Int)
    case failed(Int)
    /// The connection broke; a new one requests the rest, or the whole file.
    case lost(Int, asksForRest: Bool)
    /// A response that is not the file, with a body of this many bytes; the request continues.
    case refused(Int, status: Int, body: Int64)
    /// This many bytes of an upload have been sent in total.
    case sent(Int, Int64)
    /// The server asks for the body again.
    case unsent(Int)
    case replied(Int)
    case cancel(Int)
    case cancelAll
    /// Bytes that arrive after a cancel.
    case late(Int, Int64)
    /// The bar is recorded.
    case look

    static var add: Move { .add(part: 0, of: nil) }
    static func sized(_ number: Int, _ length: Int64?) -> Move { .sized(number, length, status: 200) }
    static func opened(_ number: Int, _ length: Int64?) -> Move { .opened(number, length, status: 200) }

    /// A download from its headers to its end.
    static func whole(_ number: Int, _ length: Int64) -> [Move] {
        [.opened(number, length), .read(number, length), .done(number)]
    }
}
