import FaultServer
import Testing

@testable import WinchScreen

/// Each key of the help pressed in the real program in a real terminal, and what the screen shows then.
///
/// Sensitive to time: transfers have to be in a state when a key is pressed.
@Suite(.serialized) struct `The dashboard's keys` {
    /// One key of an action and the action's description, as the help lists them.
    private struct Line: Hashable, CustomStringConvertible {
        let key: String
        let words: String

        var description: String { "\(key): \(words)" }
    }

    @Test(arguments: KeyAct.all)
    func `have the effect that the help describes`(act: KeyAct) async throws {
        try await FaultServer.serving { server in try await act.play(on: server) }
    }

    @Test func `have exactly one scene each in these tests, in the group of the help`() {
        for act in KeyAct.all {
            // A dashboard over a fleet is tested with a fleet.
            let live = KeyMap.standard.bindings.filter { $0.group == act.group && $0.applies != .fleet }
            let known: Set<Press> = Set(live.flatMap { binding in binding.keys.map { Press(binding.intent, $0) } })
            let played: [Press] = act.scenes.flatMap { scene in scene.keys.map { Press(scene.intent, $0) } }
            #expect(known.subtracting(played) == [], "keys without a scene")
            #expect(Set(played).subtracting(known) == [], "scenes without a key")
            #expect(played.count == Set(played).count, "a key has one scene")
        }
        #expect(Set(KeyAct.all.map(\.group)) == Set(KeyMap.Group.allCases))
        #expect(Set(KeyMap.standard.bindings.map(\.intent)) == Set(KeyAction.allCases), "every action has a key")
    }

    private struct Press: Hashable {
        let intent: KeyAction
        let key: Key

        init(_ intent: KeyAction, _ key: Key) { (self.intent, self.key) = (intent, key) }
    }

    @Test func `are exactly those listed in the help`() async throws {
        let words = Dictionary(KeyMap.standard.bindings.map { ($0.intent, $0.words) }) { first, _ in first }
        // The help of a dashboard that is attached to a session or to a fleet has others.
        let attached = Set(
            KeyMap.standard.bindings.filter { $0.applies == .attached || $0.applies == .fleet }.map(\.intent)
        ).subtracting([.quit, .interrupt])
        let scenes = KeyAct.all.flatMap(\.scenes).filter { !attached.contains($0.intent) }
        let played = try scenes.flatMap { scene in
            try scene.keys.map { Line(key: $0.name(isASCII: false), words: try words[scene.intent].unwrapped("words")) }
        }
        let lines = try await help()
        #expect(Set(lines) == Set(played))
        #expect(lines.count == played.count)
    }

    @Test func `act and are listed in the help as the user has configured them`() async throws {
        let lines = try await help(settings: "key.pause=F5 X\nkey.remove-done=\n") { terminal in
            try await terminal.press("Escape")
            try await terminal.wait(without: "bar counts files or bytes")
            try await terminal.press("F5")
            try await terminal.wait(for: "No downloads yet")
        }
        #expect(lines.filter { $0.words == "pause or resume" }.map(\.key) == ["F5", "X"])
        #expect(!lines.contains { $0.words == "all done off the list" })
    }

    /// The lines of the program's help, read from its screen.
    private func help(
        settings: String = "", then: (Tmux) async throws -> Void = { _ in }
    ) async throws -> [Line] {
        let folder = try TestFolder()
        try folder.write(settings, to: "winch.conf")
        // Three blocks fill this width; a wider window has more room between them.
        let terminal = try await Tmux(folder, columns: 120, rows: 60)
        try await terminal.winch("--config winch.conf")
        try await terminal.wait(for: "No downloads yet")
        try await terminal.press("?")
        var before: [String] = []
        let screen = try await terminal.wait(for: "the whole help") { screen in
            defer { before = screen }
            return screen == before && screen.contains { $0.contains("bar counts files or bytes") }
        }
        try await then(terminal)
        return lines(of: screen)
    }

    /// The help is a box with blocks side by side; each line of a block has the keys, then the description.
    private func lines(of screen: [String]) -> [Line] {
        let headings = Set(KeyMap.Group.allCases.map(\.rawValue))
        return screen.flatMap { line -> [Line] in
            guard let box = line.split(separator: "│", omittingEmptySubsequences: false).dropFirst().first else {
                return []
            }
            return stride(from: 1, to: box.count, by: HelpPanel.blockWidth).flatMap { start -> [Line] in
                let block = box.dropFirst(start).prefix(HelpPanel.blockWidth)
                guard !headings.contains(block.trimmingBlanks) else { return [] }
                let words = block.dropFirst(HelpPanel.keyWidth).trimmingBlanks
                return block.prefix(HelpPanel.keyWidth).split(separator: " ").map {
                    Line(key: String($0), words: words)
                }
            }
        }
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
