import FaultSuite
import Foundation
import Testing

/// Every case of the table with the built program, some at a time: each runs processes of its own.
@Suite struct `Whatever the server does` {
    private static let gate = Gate(places: 6)

    @Test(arguments: FaultCase.all)
    func `a bit-exact file comes out, or the right failure`(faultCase: FaultCase) async throws {
        let verdict = await Self.gate.through {
            await Trial(faultCase, with: .winch(path: Products.path("winch"))).verdict()
        }
        switch verdict {
        case .right: break
        case .wrong(let story): Issue.record("\(faultCase.name): \(story)")
        case .skipped(let why): print("skipped: \(faultCase.name): \(why)")
        case .notApplicable: Issue.record("\(faultCase.name) is not for Winch")
        }
    }

    @Test func `no two cases have one name, and there are enough of each kind`() {
        #expect(Set(FaultCase.all.map(\.name)).count == FaultCase.all.count)
        #expect(FaultCase.all.count >= 80)
        for group in FaultCase.Group.allCases {
            #expect(FaultCase.all.count { $0.group == group } >= 4, "\(group)")
        }
    }
}
