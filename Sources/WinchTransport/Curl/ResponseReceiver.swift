/// Takes an answer while libcurl receives it: on the loop's thread, inside libcurl's callbacks.
protocol ResponseReceiver: AnyObject {
    /// The connection stands and a request is about to go out; once for every hop of a redirect.
    func willSendRequest()
    /// - Returns: false ends the transfer.
    func take(header line: UnsafeRawBufferPointer) -> Bool
    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer
    /// How the SSH connection is made; `nil` for everything else.
    var ssh: SSHAccess? { get }
}

extension ResponseReceiver {
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
