import FaultServer
import TestSupport
import Testing

@testable import WinchScreen

/// A terminal that runs the program, and the server that it downloads from.
struct KeyStage {
    let terminal: Tmux
    let server: FaultServer

    func play(_ scene: KeyScene, _ key: Key) async throws {
        do {
            try await play(scene.steps(key), of: key)
        } catch let missing as Missing {
            throw Missing(what: "\(scene.intent) by \(key.name(isASCII: true)): \(missing.what)")
        }
    }

    /// - Parameter key: the key whose effect the steps check.
    func play(_ steps: [KeyStep], of key: Key? = nil) async throws {
        var isPressed = key == nil
        for (index, step) in steps.enumerated() {
            switch step {
            case .press(let pressed):
                if pressed == key, !isPressed {
                    isPressed = true
                    try await expectNoEffect(yet: steps[index...])
                }
                try await terminal.press(pressed)
            case .type(let text): try await terminal.type(text(server))
            case .perform(let action): try await action(self)
            case .until(let words, let isSo):
                try await terminal.wait(for: "step \(index), \(words)") { try await isSo(self, $0) }
            }
        }
        expect(isPressed, "the key is pressed")
    }

    /// A condition that holds before the key is pressed proves no effect of the key: the scene fails.
    private func expectNoEffect(yet steps: ArraySlice<KeyStep>) async throws {
        for case .until(let words, let isSo) in steps {
            guard try await !isSo(self, terminal.screen()) else {
                throw Missing(what: "a key for \(words): it is so before")
            }
            return
        }
        throw Missing(what: "something to see")
    }
}
