import FaultServer
import Foundation
import Glibc
import Testing

/// A fault in the network or on the server, and the text that the row shows for it.
@Suite(.serialized) struct `A row that does not move` {
    private func open(_ urls: [String], _ options: String = "") async throws -> Tmux {
        let folder = try TestFolder()
        try folder.write(urls.joined(separator: "\n"), to: "urls.txt")
        let terminal = try await Tmux(folder, columns: 120, rows: 24)
        try await terminal.winch("-i urls.txt -d got \(options)")
        try await terminal.wait(for: "counting bytes")
        return terminal
    }

    /// Reached only by a hang.
    private static let hung = 60.0

    private func see(_ words: String, in row: String, of terminal: Tmux) async throws {
        try await terminal.wait(for: "\(row): \(words)", seconds: Self.hung) {
            $0.contains { $0.contains(row) && $0.contains(words) }
        }
    }

    @Test func `shows that it is connecting`() async throws {
        let deaf = try DeafPort()
        let terminal = try await open(["http://127.0.0.1:\(deaf.port)/a.bin"])
        try await see("connecting", in: "a.bin", of: terminal)
    }

    @Test func `shows that it is waiting for the server's first byte`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open([server.url("a.bin", "latency=30")])
            try await see("waiting for response", in: "a.bin", of: terminal)
        }
    }

    @Test func `shows that its size is being requested, then that it waits for a slot`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(
                [server.url("a.bin", "size=400M", "rate=1M"), server.url("b.bin", "headdelay=30")], "-j 1")
            try await see("asking for the size", in: "b.bin", of: terminal)
            // The request for the size is given up after five seconds.
            try await see("waiting", in: "b.bin", of: terminal)
        }
    }

    @Test func `shows that its host has no free slot, until it has one`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(
                [server.url("a.bin", "size=400M", "rate=1M"), server.url("b.bin", "size=400M", "rate=1M")],
                "-j 4 --per-host 1")
            try await see("waiting", in: "b.bin", of: terminal)
            try await terminal.press("p")
            try await see("paused", in: "a.bin", of: terminal)
            try await see("↓", in: "b.bin", of: terminal)
        }
    }

    @Test(arguments: [(503, "server busy (503)"), (429, "server limit")])
    func `shows that the server asked to wait, and for how long`(status: Int, words: String) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let terminal = try await Tmux(folder, columns: 120, rows: 24)
            try await terminal.winch("'\(server.url("a.bin", "status=\(status)", "retryafter=40"))' -d got")
            let screen = try await terminal.wait(for: words, seconds: Self.hung)
            #expect(screen.contains { $0.contains("\(words), retry in") && $0.contains("(2/5)") })
            let first = try await terminal.line(with: words)
            try await terminal.wait(for: "the countdown", seconds: Self.hung) { lines in
                lines.contains { $0.contains(words) && $0 != first }
            }
        }
    }

    @Test func `shows that it is limited to the rate that the user set`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open([server.url("a.bin", "size=400M")], "--limit-rate 300K")
            try await see("total limit", in: "a.bin", of: terminal)
            #expect(try await terminal.line(with: "a.bin")?.contains("stalled") == false)
        }
    }

    @Test(arguments: ["stall=500K", "stall=1"])
    func `shows how long it has been stalled`(fault: String) async throws {
        try await FaultServer.serving { server in
            let terminal = try await open([server.url("a.bin", "size=9M", "rate=500K", fault)])
            try await see("stalled", in: "a.bin", of: terminal)
            let first = try await terminal.line(with: "stalled")
            try await terminal.wait(for: "more seconds", seconds: Self.hung) { lines in
                lines.contains { $0.contains("stalled") && $0 != first }
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
