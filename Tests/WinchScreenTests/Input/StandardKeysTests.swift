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
}
