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
        #expect(Set(actions.values) == Set(KeyAction.allCases))
    }

    @Test func `has a name for each key that can be read back`() {
        for key in KeyMap.standard.bindings.flatMap(\.keys) {
            #expect(Key(named: key.name(isASCII: true)) == key)
        }
        #expect(Key(named: "pgup") == .pageUp)
        #expect(Key(named: "東") == .character("東"))
        #expect(Key(named: "") == nil)
    }
}
