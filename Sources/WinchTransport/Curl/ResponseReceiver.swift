import WinchModel

/// Takes an answer while libcurl receives it: on the loop's thread, inside libcurl's callbacks.
protocol ResponseReceiver: AnyObject {
    /// The connection stands and a request is about to go out; once for every hop of a redirect.
    func willSendRequest()
    /// - Returns: false ends the transfer.
    func take(header line: UnsafeRawBufferPointer) -> Bool
    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer
    /// How the SSH connection is made; `nil` for everything else.
    var ssh: SSHAccess? { get }
    /// The transfer that it is for, whose cookies it sends and gets; `nil`: cookies live as long as the request.
    var transfer: TransferID? { get }
}

extension ResponseReceiver {
    var transfer: TransferID? { nil }

    /// The key of an SSH server; false ends the connection before anything of the login is sent.
    func accepts(hostKey key: [UInt8]) -> Bool { ssh?.accepts(key) ?? false }

    /// A line of libcurl's log about an SSH connection.
    func receivedLogLine(_ words: String) { ssh?.receivedLogLine(words) }
}

/// The answer to a piece of a body.
enum BodyAnswer {
    case taken
    /// Nothing of it was taken: it comes again once the handle is released.
    case notNow
    /// The transfer ends.
    case refused
}

/// Gives the body of a request while libcurl sends it: on the loop's thread, inside libcurl's callbacks.
protocol BodySender: ResponseReceiver {
    func give(into room: UnsafeMutableRawBufferPointer) -> BodyPiece
    /// Goes to a position of the body, counted from the start of the source.
    ///
    /// - Returns: false when the bytes cannot be had again.
    func seek(to position: Int64) -> Bool
}

/// The next piece of a body that is sent.
enum BodyPiece {
    /// Bytes in the room; 0: the end.
    case given(Int)
    /// There are none at present: the handle has to be released when there are.
    case notYet
    /// The transfer ends.
    case refused
}
