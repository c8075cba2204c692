import Foundation
import TerminalEmulator
import TestSupport

/// The program on a pseudo-terminal without an emulator: the test reads every byte, at its own speed.
final class WatchedProgram {
    private let terminal: PseudoTerminal
    private let child: Child
    private let folder: TestFolder
    /// All bytes that the program has written and the test has read.
    private(set) var bytes: [UInt8] = []
    /// The number of `bytes` when the last key was typed.
    private var mark = 0

    /// - Parameter environment: beside the usual; an empty value takes a variable away.
    init(
        _ arguments: [String], in folder: TestFolder, columns: Int = 100, rows: Int = 24, environment: [String: String]
    ) throws {
        self.folder = folder
        terminal = try PseudoTerminal(columns: columns, rows: rows)
        child = try Child(
            Program.winch, arguments, in: folder.url.path,
            environment: Program.environment(in: folder).merging(environment) { _, new in new }
                .filter { !$0.value.isEmpty },
            streams: .files(input: terminal.path, output: terminal.path, errors: terminal.path))
    }

    deinit {
        if child.ending() == nil { child.signal(SIGKILL) }
    }

    /// The output since the last key.
    var answer: String { String(decoding: bytes[mark...], as: UTF8.self) }

    /// Reads at most this many bytes of the pending output.
    @discardableResult
    func read(atMost most: Int = 64 << 10) -> Int {
        let more = terminal.read(within: 0, atMost: most)
        bytes += more
        return more.count
    }

    /// Reads until the output since the last key satisfies the condition.
    func wait(for what: String, seconds: Double = 60, _ isRight: (String) -> Bool) async throws {
        let deadline = Date.now.addingTimeInterval(seconds)
        while !isRight(answer) {
            guard Date.now < deadline else { throw Missing(what: "\(what) in \(answer.debugDescription)") }
            if read() == 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    func wait(for words: String) async throws { try await wait(for: words) { $0.contains(words) } }

    /// Types without reading the pending output first.
    func press(_ keys: String) { terminal.type(keys) }

    func type(_ text: String) { type(Array(text.utf8)) }

    func type(_ bytes: [UInt8]) {
        while read() > 0 {}
        mark = self.bytes.count
        terminal.type(bytes)
    }

    /// Reads until the program ends.
    ///
    /// - Returns: its exit code; `nil` when it hung.
    func end(within seconds: Double = 60) async throws -> Int32? {
        let deadline = Date.now.addingTimeInterval(seconds)
        while Date.now < deadline {
            let ending = child.ending()
            while read() > 0 {}
            if let ending { return ending }
            try await Task.sleep(for: .milliseconds(5))
        }
        return nil
    }

    var isTerminalCooked: Bool { terminal.isCooked }

    /// Whether it has ended, without reading anything.
    func hasEnded() -> Bool { child.ending() != nil }
}
