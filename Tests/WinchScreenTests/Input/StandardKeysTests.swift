import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

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
