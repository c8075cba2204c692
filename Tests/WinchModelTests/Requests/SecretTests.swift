import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A secret` {
    @Test func `is shown neither by itself nor in a command`() {
        let secret = Secret("hunter2")
        expectEqual("\(secret)", "(hidden)")
        expect(!"\(Command.unlock(keyFile: "f", secret))".contains("hunter2"))
    }
}
