import Testing

@testable import WinchModel

/// The twenty worked vectors, played to two models side by side.
@Suite struct `Where Winch counts otherwise than ASI` {
    @Test(arguments: Vector.all)
    func `it does so on purpose`(vector: Vector) {
        var asi = ASIQueue(isAccurate: vector.isAccurate)
        var winch = WinchQueue(isAccurate: vector.isAccurate)
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

    @Test func `all twenty vectors are there`() {
        #expect(Set(Vector.all.map(\.number)) == Set(1...20))
    }
}
