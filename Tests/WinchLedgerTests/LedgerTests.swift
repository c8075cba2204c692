import Testing
import WinchCore

@testable import WinchLedger

@Suite struct `The ledger` {
    @Test func `closes`() async {
        await Ledger().close()
    }
}
