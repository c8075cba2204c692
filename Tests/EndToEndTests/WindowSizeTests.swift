import FaultServer
import Foundation
import TestSupport
import Testing

/// Windows from 1x1 to 500x200 cells.
///
/// Sensitive to time: the screen is read while it is drawn.
@Suite(.serialized) struct `A terminal window` {
    private struct Size: Hashable {
        let columns, rows: Int
    }

    private static let sizes = [(1, 1), (20, 5), (80, 24), (500, 200)].map { Size(columns: $0.0, rows: $0.1) }

    /// Nothing moves, so that a screen of one size is always the same.
    private func open(_ size: Size, in folder: TestFolder) async throws -> Tmux {
        let terminal = try await Tmux(folder, columns: size.columns, rows: size.rows)
        try await terminal.winch("-i urls.txt -d got --hold --ephemeral; echo $? > code")
        return terminal
    }

    private func batch() throws -> TestFolder {
        let folder = try TestFolder()
        // No server listens there: with `--hold` no request is made.
        let urls = (100..<160).map { "http://127.0.0.1:9/row-\($0)-with-a-name.bin" }
        try folder.write(urls.joined(separator: "\n"), to: "urls.txt")
        return folder
    }

    private func close(_ terminal: Tmux) async throws {
        try await terminal.press("q")
        // The shell makes the file before it writes the code.
        try await terminal.wait(for: "its end") { _ in
            try terminal.folder.exists("code") && !terminal.folder.text("code").isEmpty
        }
        try expectEqual(terminal.folder.text("code"), "7\n")
    }

    @Test func `of any size is drawn correctly after any other size and reacts to keys`() async throws {
        let folder = try batch()
        var screens: [Size: [String]] = [:]
        for size in Self.sizes {
            let terminal = try await open(size, in: folder)
            try await terminal.wait(for: "the alternate screen") { _ in try await isOpen(terminal) }
            screens[size] = try await settled(terminal, size)
            try await close(terminal)
            try FileManager.default.removeItem(atPath: folder.path("code"))
        }
        let terminal = try await open(Self.sizes[0], in: folder)
        try await terminal.wait(for: "the alternate screen") { _ in try await isOpen(terminal) }
        // Each size is drawn after the smallest and after the largest one; the last loop draws it after its neighbour.
        for size in Self.sizes {
            for before in [Self.sizes[0], Self.sizes[Self.sizes.count - 1]] {
                try await terminal.resize(columns: before.columns, rows: before.rows)
                try await terminal.resize(columns: size.columns, rows: size.rows)
                try await expectScreen(screens[size], on: terminal, size)
            }
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<30 {
            try await terminal.resize(
                columns: Int.random(in: 1...500, using: &random), rows: Int.random(in: 1...200, using: &random))
            if Int.random(in: 0..<4, using: &random) == 0 { try await terminal.press("G", "k", "j", "g") }
        }
        for size in Self.sizes.reversed() {
            try await terminal.resize(columns: size.columns, rows: size.rows)
            try await expectScreen(screens[size], on: terminal, size)
        }
        try await close(terminal)
    }

    private func isOpen(_ terminal: Tmux) async throws -> Bool {
        try await terminal.tmux(["display-message", "-p", "#{alternate_on}"]) == "1\n"
    }

    /// In a window of a few cells there is nothing to compare: the program only has to survive it.
    private func expectScreen(_ screen: [String]?, on terminal: Tmux, _ size: Size) async throws {
        guard size.columns >= 20 else { return }
        let screen = try screen.unwrapped("a screen of \(size)")
        do {
            try await terminal.wait(for: "it") { $0 == screen }
        } catch is Missing {
            let pairs = zip(try await terminal.screen(), screen)
            let other = pairs.first { $0 != $1 }
            throw Missing(
                what: "\(size) as ever; '\(other?.1.prefix(150) ?? "")' is '\(other?.0.prefix(150) ?? "")',"
                    + " \(pairs.count { $0 != $1 }) lines differ")
        }
    }

    /// The screen, once two successive readings of it are equal.
    private func settled(_ terminal: Tmux, _ size: Size) async throws -> [String] {
        // Text which shows that the rows are drawn, where the window has space for it.
        let sign = size.columns >= 40 ? "row-100" : size.columns >= 20 ? "0/60" : ""
        var last: [String] = []
        return try await terminal.wait(for: "a screen of \(size)") { lines in
            defer { last = lines }
            return lines == last && (sign.isEmpty || lines.contains { $0.contains(sign) })
        }
    }
}
