import FaultSuite
import Testing

/// Every case of the table with the built program.
@Suite struct `The table of faults` {
    /// One test for all cases: several run at a time, since each of them waits for most of its time.
    @Test func `leads to a bit-exact file or the expected failure in every case`() async {
        var skipped: [String] = []
        await Table(jobs: 8).run(FaultCase.all, [.winch(path: Products.path("winch"))]) { faultCase, verdicts in
            for verdict in verdicts {
                switch verdict {
                case .right: break
                case .wrong(let failureLog): Issue.record("\(faultCase.name): \(failureLog)")
                case .skipped(let why): skipped.append("\(faultCase.name): \(why)")
                case .notApplicable: Issue.record("\(faultCase.name) is not for Winch")
                }
            }
        }
        if !skipped.isEmpty { print("skipped: " + skipped.joined(separator: "; ")) }
        #expect(FaultCase.all.count - skipped.count >= 80)
    }

    @Test func `has unique names and enough cases of each kind`() {
        #expect(Set(FaultCase.all.map(\.name)).count == FaultCase.all.count)
        for group in FaultCase.Group.allCases {
            #expect(FaultCase.all.count { $0.group == group } >= 4, "\(group)")
        }
    }
}
