import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The name of a key` {
    @Test func `names each key so that the name can be read back`() {
        for key in KeyMap.standard.bindings.flatMap(\.keys) {
            #expect(Key(named: key.name(isASCII: true)) == key)
        }
        #expect(Key(named: "pgup") == .pageUp)
        #expect(Key(named: "東") == .character("東"))
        #expect(Key(named: "") == nil)
    }
}
