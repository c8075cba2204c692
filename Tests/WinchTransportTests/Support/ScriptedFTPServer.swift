import Foundation

/// An FTP server that has one reply for the greeting and one for each command, and closes after the last. It cannot encrypt: AUTH is
/// refused besides.
final class ScriptedFTPServer: Sendable {
    /// `ftp://127.0.0.1:PORT/`.
    let origin: String
    private let listener: Int32

    init(_ replies: [String]) throws {
        let own = try LoopbackListener()
        listener = own.socket
        origin = "ftp://127.0.0.1:\(own.port)/"
        own.serve { Self.serve($0, replies) }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ client: Int32, _ replies: [String]) {
        for (index, reply) in replies.enumerated() {
            if index > 0, !takeCommand(client) { return }
            FileFTPServer.say(client, reply)
        }
    }

    /// - Returns: false when the client has closed the connection.
    private static func takeCommand(_ client: Int32) -> Bool {
        while let (verb, _) = FileFTPServer.command(client) {
            guard verb == "AUTH" else { return true }
            FileFTPServer.say(client, "502 no encryption")
        }
        return false
    }
}
