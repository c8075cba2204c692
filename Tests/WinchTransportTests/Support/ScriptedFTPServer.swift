import Foundation

/// An FTP server that has one reply for the greeting and one for each command, and closes after the last. It cannot encrypt: AUTH is
/// refused besides.
final class ScriptedFTPServer: Sendable {
    /// `ftp://127.0.0.1:PORT/`.
    let origin: String
    private let listener: Int32

    init(_ replies: [String]) throws {
        let own = try LoopbackListener()
        let listener = own.socket
        self.listener = listener
        origin = "ftp://127.0.0.1:\(own.port)/"
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else {
                    // Closed here: another server may get its number at once, and this thread must not accept for it.
                    close(listener)
                    return
                }
                Self.serve(client, replies)
                close(client)
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ client: Int32, _ replies: [String]) {
        for (index, reply) in replies.enumerated() {
            if index > 0, !takeCommand(client) { return }
            answer(client, reply)
        }
    }

    /// - Returns: false when the client has closed the connection.
    private static func takeCommand(_ client: Int32) -> Bool {
        while true {
            var command = [UInt8](repeating: 0, count: 1024)
            // A command is short, and the client waits for its reply: it arrives in one piece.
            guard recv(client, &command, command.count, 0) > 0 else { return false }
            guard command.starts(with: "AUTH".utf8) else { return true }
            answer(client, "502 no encryption")
        }
    }

    private static func answer(_ client: Int32, _ reply: String) {
        let line = Array("\(reply)\r\n".utf8)
        _ = send(client, line, line.count, Int32(MSG_NOSIGNAL))
    }
}
