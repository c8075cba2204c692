import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `The rest of a queue` {
    @Test func `counts an unknown size as the mean of the known sizes`() throws {
        let known = ByteCount(bytes: 3_000)
        let left = try #require(QueueLeft(known: known, sized: 3, files: 10, done: 2, have: ByteCount(bytes: 500)))
        #expect(left == QueueLeft(bytes: 9_500, files: 8))
    }

    @Test func `is unknown while no size is known, and never negative`() {
        #expect(QueueLeft(known: .zero, sized: 0, files: 10, done: 0, have: .zero) == nil)
        let over = QueueLeft(
            known: ByteCount(bytes: 10), sized: 1, files: 1, done: 2, have: ByteCount(bytes: 500))
        #expect(over == QueueLeft(bytes: 0, files: 0))
    }
}
