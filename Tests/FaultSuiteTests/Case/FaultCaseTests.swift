import Foundation
import TestSupport
import Testing

/// Every case of the table with the built program.
@Suite struct `The table of faults` {
    /// Eight run at a time, since each waits for most of its time; each test waits for the verdict on its own case.
    private static let table = Table(chosen, winch: Product.path("winch"), jobs: 8)
    /// Those with WINCH_ONLY in their names.
    private static let chosen = FaultCase.all.filter { only.isEmpty || $0.name.contains(only) }
    private static let only = ProcessInfo.processInfo.environment["WINCH_ONLY"] ?? ""

    @Test(arguments: chosen)
    func `leads to a bit-exact file or the expected failure`(faultCase: FaultCase) async {
        if let fault = await Self.table.fault(in: faultCase) { Issue.record("\(faultCase.name): \(fault)") }
    }

    /// A verdict is found by the name.
    @Test func `has unique names`() {
        expectEqual(Set(FaultCase.all.map(\.name)).count, FaultCase.all.count)
    }
}
