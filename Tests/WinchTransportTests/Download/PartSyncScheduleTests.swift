import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `Checkpoints of a part` {
    @Test func `are at least ten seconds apart and never overlap`() {
        let start = Moment(seconds: 5)
        var schedule = PartSyncSchedule(at: start)
        var due: [Int] = []
        for second in 1...60 {
            if schedule.isDue(at: start + .seconds(Double(second))) { due.append(second) }
            // The third sync takes twelve seconds, the others none.
            if due.count != 3 || second == 42 { schedule.ended() }
        }
        #expect(due == [10, 20, 30, 43, 53])
    }
}
