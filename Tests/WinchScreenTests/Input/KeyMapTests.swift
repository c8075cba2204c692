import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A key that does not apply` {
    private static let rows: [TransferSnapshot] = [
        .sample(1, "moving", .moving, have: 10, of: 100), .sample(2, "paused", .paused),
        .sample(3, "failed", .failed(.httpStatus(500))),
        .sample(4, "done", .finished(.saved(path: "x")), have: 5, of: 5), .sample(5, "cancelled", .cancelled),
        .sample(6, "checking", .verifying, have: 5, of: 5), .sample(7, "sent", .replying, direction: .up),
        .sample(8, "last", .waiting(.slot)),
    ]

    private func sitting(on row: Int) -> Sitting {
        var sitting = Sitting(Self.rows)
        for _ in 1..<row { sitting.press("j") }
        return sitting
    }

    @Test(
        arguments: [
            ("p", 3, "Nothing to pause: it has failed; r retries"), ("p", 4, "Nothing to pause: it is done"),
            ("p", 5, "Nothing to pause: it was cancelled"),
            ("p", 6, "Nothing to pause: it is being finished"),
            ("r", 1, "Nothing to retry: it is active"), ("r", 2, "Nothing to retry: it is paused; p resumes it"),
            ("r", 4, "Nothing to retry: it is done"), ("c", 5, "Nothing to cancel: it was cancelled"),
            ("d", 1, "Only finished, failed or cancelled rows can be removed"),
            ("x", 4, "Nothing to limit: it is done"),
            ("e", 4, "Its URL cannot be changed: it is done"), ("e", 5, "Its URL cannot be changed: it was cancelled"),
            ("e", 7, "Its URL cannot be changed: it is an upload"), ("[", 4, "Nothing to move: it is done"),
            ("]", 4, "Nothing to move: it is done"), ("{", 4, "Nothing to move: it is done"),
            ("}", 4, "Nothing to move: it is done"), ("[", 1, "It is already the first in the queue"),
            ("{", 1, "It is already the first in the queue"), ("]", 8, "It is already the last in the queue"),
            ("}", 8, "It is already the last in the queue"), ("J", 1, "No details are open"),
            ("K", 1, "No details are open"),
            ("b", 1, "Nothing to restore"), ("u", 1, "Nothing is tagged"), ("U", 1, "Nothing is tagged"),
        ] as [(Character, Int, String)])
    func `to the selected row shows why`(key: Character, row: Int, words: String) {
        var sitting = sitting(on: row)
        expect(sitting.press(.character(key)).isEmpty)
        expect(sitting.message.contains(words), "\(sitting.footer)")
        expectEqual(sitting.dashboard.mode, .normal)
    }

    @Test(arguments: ["p", "r", "c", "d", "x", "e", "o", "y", "[", "]", "{", "}", " ", "u", "*", .enter] as [Key])
    func `because no row is shown explains how to see rows`(key: Key) {
        var sitting = Sitting([.sample(1, "a", .moving)])
        sitting.press("4")
        expect(sitting.press(key).isEmpty)
        expect(sitting.message.contains("No rows here; press 1 to show all"))
        sitting.press("/")
        sitting.type("zzz")
        sitting.press(.enter)
        expect(sitting.press(key).isEmpty)
        expect(sitting.message.contains("No rows match; Esc clears the filter"))
    }

    @Test func `has the same reason when typed as a command`() {
        var sitting = sitting(on: 4)
        sitting.press(":")
        sitting.type("url http://h/x")
        expect(sitting.press(.enter).isEmpty)
        expect(sitting.message.contains("Its URL cannot be changed: it is done"))
    }
}

@Suite struct `The key map` {
    @Test func `gives each key one action`() {
        var actions: [Key: KeyAction] = [:]
        for binding in KeyMap.standard.bindings {
            for key in binding.keys {
                expectEqual(actions[key] ?? binding.intent, binding.intent, "\(key.name(isASCII: true))")
                actions[key] = binding.intent
            }
        }
        for (key, action) in actions { expectEqual(KeyMap.standard[key], action) }
        expectEqual(Set(actions.values), Set(KeyAction.allCases))
    }

    @Test func `has a name for each key that can be read back`() {
        for key in KeyMap.standard.bindings.flatMap(\.keys) {
            expectEqual(Key(named: key.name(isASCII: true)), key)
        }
        expectEqual(Key(named: "pgup"), .pageUp)
        expectEqual(Key(named: "東"), .character("東"))
        expectNil(Key(named: ""))
    }
}
