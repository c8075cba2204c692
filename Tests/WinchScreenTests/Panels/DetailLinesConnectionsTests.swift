import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The connections in the details panel` {
    private func open(
        _ columns: Int = 120, _ lines: Int = 40, isASCII: Bool = false,
        change: (inout TransferDetails) -> Void = { _ in }
    ) -> Sitting {
        var sitting = Sitting(SplitScene.rows, columns: columns, lines: lines, look: Appearance(isASCII: isASCII))
        sitting.press("j", "j", .enter)
        var details = SplitScene.details
        change(&details)
        sitting.update(.details(details, of: SplitScene.rows))
        return sitting
    }

    /// The lines of the panel from the heading of the connections on.
    private func lines(_ sitting: Sitting) -> [String] {
        let inside = sitting.lines.compactMap { line -> String? in
            let parts = line.split(separator: "│", omittingEmptySubsequences: false)
            return parts.count > 1 ? parts[parts.count - 2].trimmed : nil
        }
        return Array(inside.drop { !$0.contains("connection") })
    }

    @Test func `are listed with range, rate and age below the reason why there are not more`() {
        let lines = lines(open(200, 50))
        #expect(lines.first == "5 connections; more did not help · mirror.example.org")
        #expect(lines[1] == "▸ 1  400 to 900 MiB  1.3 MiB/s  4 m 40 s")
        #expect(lines[3] == "▸ 3  1.0 to 1.5 GiB    stalled  4 m 38 s")
        #expect(lines[5] == "▸ 12 2.7 to 3.0 GiB  requested       1 s")
    }

    @Test(arguments: [(80, 24), (40, 40), (120, 30), (200, 60)], [false, true])
    func `fit the panel`(size: (columns: Int, lines: Int), isASCII: Bool) {
        let lines = open(size.columns, size.lines, isASCII: isASCII).lines.filter { $0.contains(" to ") }
        #expect(lines.contains { $0.contains("400 to 900 MiB  1.3 MiB/s") }, "\(lines)")
        #expect(!lines.contains { $0.contains(isASCII ? "~ |" : "… │") }, "\(lines)")
    }

    @Test func `name their servers when these differ`() {
        let sitting = open(200, 50) { $0.connections[1].host = "other.example.net" }
        let lines = lines(sitting)
        #expect(lines[0] == "5 connections; more did not help")
        #expect(lines[1].hasSuffix("4 m 40 s  mirror.example.org"))
        #expect(lines[2].hasSuffix("other.example.net"))
        let narrow = self.lines(open(40, 40) { $0.connections[1].host = "other.example.net" })
        #expect(narrow.contains("other.example.net"))
    }

    @Test func `are marked in the map of the file`() {
        let map = open(120, 40).lines.first { $0.contains("█") && $0.contains("─▸") } ?? ""
        #expect(map.count { $0 == "▸" } >= 5, "\(map)")
    }

    @Test func `are one with the reason why`() {
        let sitting = open(200, 50) {
            $0.connections = Array($0.connections.prefix(1))
            $0.connectionReason = SplitObstacle.oldProtocol.words
        }
        #expect(lines(sitting).first == "1 connection: the server speaks HTTP/1.0 · mirror.example.org")
        #expect(!sitting.lines.contains { $0.contains("─▸") })
    }

    @Test func `keep their rates for half a second`() {
        var sitting = open(200, 50)
        sitting.wait(0.1)
        var details = SplitScene.details
        details.connections[0].rate = ByteRate(perSecond: 5e6)
        sitting.update(.details(details, of: SplitScene.rows))
        #expect(lines(sitting)[1].contains("1.3 MiB/s"))
        sitting.wait(0.5)
        sitting.handle(.tick)
        #expect(lines(sitting)[1].contains("4.7 MiB/s"))
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
