import Testing

@testable import WinchModel

@Suite struct `An event log` {
    @Test func `keeps the latest entries`() {
        var log = RecentLog()
        for first in stride(from: 0, to: 3_500, by: 7) {
            let events = (first..<first + 7).map {
                FeedEvent(id: TransferID($0 + 1), at: Moment(seconds: 1), kind: .paused)
            }
            log.take(Update(events: events, at: Moment(seconds: 1)))
        }
        #expect(log.latest.count == RecentLog.most)
        #expect(log.latest.first?.id == TransferID(2_501) && log.latest.last?.id == TransferID(3_500))
    }
}
