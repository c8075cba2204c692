@testable import WinchModel

/// What happens in a worked vector, in words that two models of progress understand. Numbers name requests, from 1.
enum Move {
    /// A download joins, with so many bytes of it on disk from before.
    case add(part: Int64, of: Int64?)
    case addUpload(of: Int64)
    /// A HEAD was answered with this Content-Length.
    case sized(Int, Int64?, status: Int)
    /// The headers of a GET's body, with its Content-Length.
    case opened(Int, Int64?, status: Int)
    /// So many bytes more of that body.
    case read(Int, Int64)
    /// The body has come whole.
    case done(Int)
    case failed(Int)
    /// The connection broke; a new one asks for the rest, or for all of it.
    case lost(Int, asksForRest: Bool)
    /// An answer that is not the file, with a body of so many bytes; the request goes on.
    case refused(Int, status: Int, body: Int64)
    /// So many bytes of an upload have been sent in all.
    case sent(Int, Int64)
    /// The server wants the body once more.
    case unsent(Int)
    case replied(Int)
    case cancel(Int)
    case cancelAll
    /// Bytes that come after a cancel.
    case late(Int, Int64)
    /// The bar is written down.
    case look

    static var add: Move { .add(part: 0, of: nil) }
    static func sized(_ number: Int, _ length: Int64?) -> Move { .sized(number, length, status: 200) }
    static func opened(_ number: Int, _ length: Int64?) -> Move { .opened(number, length, status: 200) }

    /// A download from its headers to its end.
    static func whole(_ number: Int, _ length: Int64) -> [Move] {
        [.opened(number, length), .read(number, length), .done(number)]
    }
}
