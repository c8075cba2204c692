import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The key map` {
    @Test func `gives each key one action`() {
        var actions: [Key: KeyAction] = [:]
        for binding in KeyMap.standard.bindings {
            for key in binding.keys {
                #expect(actions[key] ?? binding.intent == binding.intent, "\(key.name(isASCII: true))")
                actions[key] = binding.intent
            }
        }
        for (key, action) in actions { #expect(KeyMap.standard[key] == action) }
    }

    @Test(
        arguments: [
            ("p", KeyAction.pauseOrResume), ("P", .pauseOrResumeAll), ("r", .retry), ("?", .help), ("q", .quit),
        ] as [(Character, KeyAction)])
    func `keeps the keys that users know`(key: Character, action: KeyAction) {
        #expect(KeyMap.standard[.character(key)] == action)
    }
}
