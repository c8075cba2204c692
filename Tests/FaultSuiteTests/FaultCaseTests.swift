import FaultSuite
import Testing

/// Every case of the table with the built program.
@Suite struct `The table of faults` {
    /// Eight run at a time, since each waits for most of its time; each test waits for the verdict on its own case.
    private static let table = Table(FaultCase.all, winch: Products.path("winch"), jobs: 8)

    @Test(arguments: FaultCase.all)
    func `leads to a bit-exact file or the expected failure`(faultCase: FaultCase) async {
        switch await Self.table.verdict(on: faultCase) {
        case .right: break
        case .wrong(let failureLog): Issue.record("\(faultCase.name): \(failureLog)")
        case .skipped(let why): print("skipped: \(faultCase.name): \(why)")
        }
    }

    @Test func `has at least eighty cases that this machine can run`() async {
        var tried = 0
        for faultCase in FaultCase.all {
            if case .skipped = await Self.table.verdict(on: faultCase) { continue }
            tried += 1
        }
        #expect(tried >= 80)
    }

    @Test func `has unique names and enough cases of each kind`() {
        #expect(Set(FaultCase.all.map(\.name)).count == FaultCase.all.count)
        for group in FaultCase.Group.allCases {
            #expect(FaultCase.all.count { $0.group == group } >= 4, "\(group)")
        }
    }
}
