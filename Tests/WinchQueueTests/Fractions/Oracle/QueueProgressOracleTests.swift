import Testing

@testable import WinchModel

/// The twenty worked vectors, applied to both models.
@Suite struct `Differences between Winch's and ASI's progress` {
    @Test(arguments: Vector.all)
    func `occur only where they are intended`(vector: Vector) {
        var asi = ASIQueueModel(isAccurate: vector.isAccurate)
        var winch = QueueUnderTest(isAccurate: vector.isAccurate)
        var (asiShown, winchShown): ([String], [String]) = ([], [])
        for move in vector.moves {
            asi.apply(move)
            winch.apply(move)
            guard case .look = move else { continue }
            asiShown.append(asi.bar)
            winchShown.append(winch.bar)
        }
        #expect(asiShown == vector.asi)
        #expect(winchShown == vector.winch)
        #expect((asiShown == winchShown) == (vector.difference == .none))
    }

    @Test func `are covered by all twenty vectors`() {
        #expect(Set(Vector.all.map(\.number)) == Set(1...20))
    }
}
