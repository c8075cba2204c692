import FaultServer
import TestSupport
import Testing

@testable import WinchScreen

/// Each key of the help pressed in the real program in a real terminal, and what the screen shows then.
///
/// Sensitive to time: transfers have to be in a state when a key is pressed.
@Suite(.serialized) struct `The dashboard's keys` {
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
            expectEqual(known.subtracting(played), [], "keys without a scene")
            expectEqual(Set(played).subtracting(known), [], "scenes without a key")
            expectEqual(played.count, Set(played).count, "a key has one scene")
        }
        expectEqual(Set(KeyAct.all.map(\.group)), Set(KeyMap.Group.allCases))
        expectEqual(Set(KeyMap.standard.bindings.map(\.intent)), Set(KeyAction.allCases), "every action has a key")
    }

    private struct Press: Hashable {
        let intent: KeyAction
        let key: Key

        init(_ intent: KeyAction, _ key: Key) { (self.intent, self.key) = (intent, key) }
    }

    @Test func `act and are listed in the help as the user has configured them`() async throws {
        let folder = try TestFolder()
        try folder.write("key.pause=F5 X\nkey.remove-done=\n", to: "winch.conf")
        let terminal = try await Tmux(folder, columns: 120, rows: 60)
        try await terminal.winch("--config winch.conf")
        try await terminal.wait(for: "No downloads yet")
        try await terminal.press("?")
        let screen = try await terminal.wait(for: "the whole help") { screen in
            screen.contains { $0.contains("bar counts files or bytes") }
                && screen.contains { $0.contains("F5 X") && $0.contains("pause or resume") }
        }
        expect(!screen.contains { $0.contains("all done off the list") })
        try await terminal.press("Escape")
        try await terminal.wait(without: "bar counts files or bytes")
        try await terminal.press("F5")
        try await terminal.wait(for: "No downloads yet")
    }
}
