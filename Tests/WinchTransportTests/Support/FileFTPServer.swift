import Foundation
import Glibc
import Synchronization

/// An FTP server that has one file, and serves one client after the other in passive mode. It knows REST only where it names
/// several sizes or none, ignores it, or has a second file, and takes uploads of the same file.
final class FileFTPServer: Sendable {
    /// How the transfer of the file ends, one after the other; the last one repeats.
    enum End: Sendable {
        /// After so many bytes the connections are closed.
        case cut(after: Int)
        case complete
        /// The whole is sent, and the reply that says so is not.
        case silent
        /// The whole is sent, and then the control connection is closed.
        case closed
        /// The whole is sent, and the reply says that it was not.
        case denied(String)
        /// The reply to RETR.
        case refused(String)
        /// The server names no size, and sends no byte.
        case empty
    }

    /// `ftp://127.0.0.1:PORT/f`.
    let url: String
    private let listener: Int32
    private let ends: Mutex<[End]>
    private let sizes: Mutex<[Int]>
    private let canResume: Bool
    private let ignoresRest: Bool
    /// For each connection but the first; `nil`: the same.
    private let further: [UInt8]?
    private let connections = Mutex(0)

    /// - Parameters:
    ///   - sizes: that the server names, one after the other; the last one repeats. Empty: that of the content.
    ///   - ignoresRest: agrees to REST, and sends the file from its start all the same.
    ///   - further: the file that each connection but the first gets; `nil`: the same.
    init(
        _ content: [UInt8], _ ends: [End], naming sizes: [Int] = [], ignoresRest: Bool = false,
        further: [UInt8]? = nil
    ) throws {
        let own = try LoopbackListener()
        listener = own.socket
        self.ends = Mutex(ends)
        self.sizes = Mutex(sizes.isEmpty ? [content.count] : sizes)
        canResume = sizes.count > 1 || ignoresRest || further != nil
        (self.ignoresRest, self.further) = (ignoresRest, further)
        url = "ftp://127.0.0.1:\(own.port)/f"
        own.serve { [weak self] in self?.serve($0, content) }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ client: Int32, _ first: [UInt8]) {
        let number = connections.withLock { count in
            count += 1
            return count
        }
        let content = number > 1 ? further ?? first : first
        var data: Int32 = -1
        var start = 0
        defer { if data >= 0 { close(data) } }
        Self.say(client, "220 hi")
        while let (verb, argument) = Self.command(client) {
            switch verb {
            case "USER": Self.say(client, "331 go on")
            case "PASS": Self.say(client, "230 in")
            case "PWD": Self.say(client, "257 \"/\"")
            case "TYPE": Self.say(client, "200 ok")
            case "SIZE": Self.say(client, isEmptyNext ? "502 not implemented" : "213 \(nextSize())")
            case "MDTM": Self.say(client, "213 20240105123456")
            case "REST" where isEmptyNext || canResume:
                start = ignoresRest ? 0 : Int(argument) ?? 0
                Self.say(client, "350 go on")
            case "EPSV":
                guard let passive = try? LoopbackListener() else { return }
                data = passive.socket
                Self.say(client, "229 ok (|||\(passive.port)|)")
            case "RETR":
                let end = nextEnd()
                if case .refused(let reply) = end {
                    Self.say(client, reply)
                    continue
                }
                Self.say(client, "150 go")
                let sink = accept(data, nil, nil)
                if case .cut(let count) = end {
                    Self.send(content[..<count], to: sink)
                    close(sink)
                    return
                }
                if case .empty = end {} else { Self.send(content[start...], to: sink) }
                close(sink)
                start = 0
                switch end {
                case .silent: break
                case .closed: return
                case .denied(let reply): Self.say(client, reply)
                case .complete, .empty, .cut, .refused: Self.say(client, "226 done")
                }
            case "STOR":
                Self.say(client, "150 go")
                let source = accept(data, nil, nil)
                var bytes = [UInt8](repeating: 0, count: 64 << 10)
                while recv(source, &bytes, bytes.count, 0) > 0 {}
                close(source)
                if case .silent = nextEnd() {} else { Self.say(client, "226 done") }
            default: Self.say(client, "502 not implemented")
            }
        }
    }

    private func nextEnd() -> End { ends.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .complete } }

    private func nextSize() -> Int { sizes.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }

    private var isEmptyNext: Bool {
        ends.withLock { if case .empty? = $0.first { true } else { false } }
    }

    /// - Returns: `nil` when the client has closed the connection.
    static func command(_ client: Int32) -> (verb: String, argument: String)? {
        var line = [UInt8](repeating: 0, count: 1024)
        // A command is short, and the client waits for its reply: it arrives in one piece.
        let count = recv(client, &line, line.count, 0)
        guard count > 0 else { return nil }
        let words = line[..<count].split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
        return (words.first ?? "", words.dropFirst().joined(separator: " "))
    }

    static func say(_ client: Int32, _ reply: String) { send(Array("\(reply)\r\n".utf8)[...], to: client) }

    static func send(_ bytes: ArraySlice<UInt8>, to client: Int32) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
