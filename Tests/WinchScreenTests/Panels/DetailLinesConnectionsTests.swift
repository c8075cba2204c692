import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The connections in the details panel` {
    private func open(
        _ columns: Int = 200, _ lines: Int = 50, change: (inout TransferDetails) -> Void = { _ in }
    ) -> Sitting {
        var sitting = Sitting(SplitScene.rows, columns: columns, lines: lines)
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

    @Test func `name their servers when these differ`() {
        let sitting = open { $0.connections[1].host = "other.example.net" }
        let lines = lines(sitting)
        expectEqual(lines[0], "5 connections; more did not help")
        expect(lines[1].hasSuffix("4 m 40 s  mirror.example.org"))
        expect(lines[2].hasSuffix("other.example.net"))
        let narrow = self.lines(open(40, 40) { $0.connections[1].host = "other.example.net" })
        expect(narrow.contains("other.example.net"))
    }

    @Test func `are one with the reason why`() {
        let sitting = open {
            $0.connections = Array($0.connections.prefix(1))
            $0.connectionReason = SplitObstacle.oldProtocol.words
        }
        expectEqual(lines(sitting).first, "1 connection: the server speaks HTTP/1.0 · mirror.example.org")
        expect(!sitting.lines.contains { $0.contains("─▸") })
    }

    @Test func `keep their rates for half a second`() {
        var sitting = open()
        sitting.wait(0.1)
        var details = SplitScene.details
        details.connections[0].rate = ByteRate(perSecond: 5e6)
        sitting.update(.details(details, of: SplitScene.rows))
        expect(lines(sitting)[1].contains("1.3 MiB/s"))
        sitting.wait(0.5)
        sitting.handle(.tick)
        expect(lines(sitting)[1].contains("4.7 MiB/s"))
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
