import TestSupport
import Testing

@testable import WinchQueue

@Suite struct `The sources of a file` {
    private func candidate(_ source: Int, open: Int, places: Int = 4) -> SplitSources.Candidate {
        SplitSources.Candidate(source: source, host: "h\(source)", open: open, places: places)
    }

    @Test func `are used evenly, the first of the list first, where there is a place`() {
        expectNil(SplitSources.choice(among: [])?.source)
        expectEqual(SplitSources.choice(among: [candidate(0, open: 1), candidate(1, open: 0)])?.source, 1)
        expectEqual(SplitSources.choice(among: [candidate(1, open: 1), candidate(0, open: 1)])?.source, 0)
        expectEqual(SplitSources.choice(among: [candidate(0, open: 1), candidate(1, open: 0, places: 0)])?.source, 0)
        expectNil(SplitSources.choice(among: [candidate(0, open: 1, places: 0)])?.source)
    }

    @Test func `are left alone after two failures in a row, and at once when they send another file`() {
        var sources = SplitSources(hosts: [0: "a", 2: "b", 5: "c"], first: 2)
        expect(sources.areSeveral)
        expectEqual(sources.usable.map(\.source), [0, 2, 5])
        sources.failed(0)
        expectEqual(sources.usable.map(\.source), [0, 2, 5])
        sources.served(0)
        sources.failed(0)
        sources.failed(0)
        sources.exclude(5)
        expectEqual(sources.usable.map(\.source), [2])
    }

    @Test func `get a second try after a wrong piece when there is no other`() {
        var only = SplitSources(hosts: [0: "a"], first: 0)
        expect(only.sentWrongPiece(0) == (true, false))
        expect(only.sentWrongPiece(nil) == (true, false))
        expect(only.sentWrongPiece(0) == (false, false))
        var several = SplitSources(hosts: [0: "a", 1: "b"], first: 0)
        expect(several.sentWrongPiece(0) == (true, true))
        expect(several.sentWrongPiece(0) == (true, true))
        expectEqual(several.usable.map(\.source), [1])
        expect(several.sentWrongPiece(1) == (true, false))
    }

    @Test func `are mixed once a second one has brought something`() {
        var sources = SplitSources(hosts: [0: "a", 1: "b"], first: 0)
        sources.served(0)
        expect(!sources.areMixed)
        sources.served(1)
        expect(sources.areMixed)
    }
}
