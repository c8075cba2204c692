import Foundation
import Glibc

/// An FTP server that lists one folder in passive mode.
final class FolderFTPServer: Sendable {
    /// `ftp://127.0.0.1:PORT/pub/`.
    let url: String
    private let listener: Int32

    /// - Parameter replies: what the commands MLSD and LIST bring; a text without a line end is the refusal of the command.
    init(_ replies: [String: String]) throws {
        let own = try LoopbackListener()
        listener = own.socket
        url = "ftp://127.0.0.1:\(own.port)/pub/"
        own.serve { Self.serve($0, replies) }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ client: Int32, _ replies: [String: String]) {
        var data: Int32 = -1
        defer { if data >= 0 { close(data) } }
        FileFTPServer.say(client, "220 hi")
        while let (verb, _) = FileFTPServer.command(client) {
            switch verb {
            case "USER": FileFTPServer.say(client, "331 go on")
            case "PASS": FileFTPServer.say(client, "230 in")
            case "PWD": FileFTPServer.say(client, "257 \"/\"")
            case "CWD": FileFTPServer.say(client, "250 there")
            case "TYPE": FileFTPServer.say(client, "200 ok")
            case "SIZE", "RETR": FileFTPServer.say(client, "550 no such file")
            case "EPSV":
                guard let passive = try? LoopbackListener() else { return }
                if data >= 0 { close(data) }
                data = passive.socket
                FileFTPServer.say(client, "229 ok (|||\(passive.port)|)")
            case "MLSD", "LIST":
                guard let reply = replies[verb], reply.isEmpty || reply.utf8.last == 0x0A else {
                    FileFTPServer.say(client, replies[verb] ?? "500 what?")
                    continue
                }
                FileFTPServer.say(client, "150 go")
                let sink = accept(data, nil, nil)
                FileFTPServer.send(Array(reply.utf8)[...], to: sink)
                close(sink)
                FileFTPServer.say(client, "226 done")
            default: FileFTPServer.say(client, "502 not implemented")
            }
        }
    }
}
