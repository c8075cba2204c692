import FaultServer

@testable import WinchScreen

/// What the keys of one action do in the real program: each is pressed, and its effect awaited.
struct KeyScene: Sendable {
    let intent: KeyAction
    let keys: [Key]
    /// The steps begin and end with the same screen, so that every key of every scene of an act finds it. One of them
    /// presses the key; the condition after it is the key's effect and must not hold before.
    let steps: @Sendable (Key) -> [KeyStep]

    init(_ intent: KeyAction, _ keys: Key..., steps: @escaping @Sendable (Key) -> [KeyStep]) {
        self.intent = intent
        self.keys = keys
        self.steps = steps
    }
}

/// An input of the user, or a condition to wait for.
enum KeyStep: Sendable {
    case press(Key)
    case type(@Sendable (FaultServer) -> String)
    case perform(@Sendable (KeyStage) async throws -> Void)
    /// Waits until the condition holds; the text names it in a failure.
    case until(String, @Sendable (KeyStage, [String]) async throws -> Bool)
}

extension KeyStep {
    static func type(_ text: String) -> Self { .type { _ in text } }

    static func see(_ text: String) -> Self {
        .until("'\(text)'") { _, lines in lines.contains { $0.contains(text) } }
    }

    static func gone(_ text: String) -> Self {
        .until("no '\(text)'") { _, lines in !lines.contains { $0.contains(text) } }
    }

    /// The line of `name` has `words` in it.
    static func row(_ name: String, _ words: String) -> Self {
        .until("\(name): \(words)") { _, lines in lines.contains { $0.contains(name) && $0.contains(words) } }
    }

    static func selected(_ name: String) -> Self { row(name, "▸") }

    /// The table's rows, from top to bottom.
    static func rows(_ names: String...) -> Self {
        .until("the rows \(names)") { _, lines in files(in: lines) == names }
    }

    /// Exactly this many rows move.
    static func moving(_ count: Int) -> Self {
        .until("\(count) moving") { _, lines in lines.count { $0.contains(".bin") && $0.contains("↓") } == count }
    }

    /// Names of files in the table, from top to bottom.
    static func files(in lines: [String]) -> [String] {
        lines.compactMap { line in line.split(separator: " ").first { $0.hasSuffix(".bin") }.map(String.init) }
    }
}
