import FaultServer
import Foundation
import Glibc
import TestSupport
import Testing

/// A fault in the network or on the server, and the text that the row shows for it.
@Suite(.serialized) struct `A row that does not move` {
    @Test func `shows what it waits for, and for how long the server asked it to`() async throws {
        let deaf = try DeafPort()
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let urls = [
                "http://127.0.0.1:\(deaf.port)/a.bin",
                server.url("b.bin", "latency=30").replacing("127.0.0.1", with: "localhost"),
                server.url("c.bin", "status=503", "retryafter=40"),
            ]
            try folder.write(urls.joined(separator: "\n"), to: "urls.txt")
            let terminal = try await Tmux(folder, columns: 120, rows: 24)
            try await terminal.winch("-i urls.txt -d got")
            for (row, words) in [
                ("a.bin", "connecting"), ("b.bin", "waiting for response"), ("c.bin", "busy, retry in"),
            ] {
                try await terminal.wait(for: "\(row): \(words)") {
                    $0.contains { $0.contains(row) && $0.contains(words) }
                }
            }
            let first = try await terminal.line(with: "c.bin")
            expectEqual(first?.contains("(2/5)"), true)
            try await terminal.wait(for: "the countdown") { lines in
                lines.contains { $0.contains("busy, retry in") && $0 != first }
            }
        }
    }
}

/// A port that listens, but whose queue of connections is full: a further connection is never answered.
private final class DeafPort {
    private let listener: Int32
    private var callers: [Int32] = []
    let port: Int

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound, listen(listener, 0) == 0 else { throw Missing(what: "a free port") }
        port = Int(UInt16(bigEndian: address.sin_port))
        for _ in 0..<4 {
            let caller = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(caller, $0, length) }
            }
            callers.append(caller)
        }
    }

    deinit {
        for descriptor in callers + [listener] { close(descriptor) }
    }
}
