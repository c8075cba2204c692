import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The machines above the table` {
    @Test(arguments: [(120, 36), (80, 24), (60, 20), (200, 60)])
    func `lists the machines above the table, and names the one of each row`(columns: Int, lines: Int) throws {
        let lines = Sitting.fleet(columns: columns, lines: lines).lines
        let first = try require(lines.firstIndex { $0.contains("machine1") && $0.contains("3/4") })
        expect(lines[first].contains("2.0 KiB/s"))
        expect(lines[first + 1].contains("machine2"))
        let row = try require(lines.first { $0.contains("b.iso") })
        expect(row.contains("machine2"))
        if columns >= 80 { expect(lines[first].contains("5.0 GiB") && lines[first].contains("1.2")) }
    }

    @Test func `keeps the table when there are many machines, and says that there are more`() {
        let sitting = Sitting.fleet(columns: 80, lines: 24, machines: 50)
        expectEqual(sitting.lines.count { $0.contains("3/4") }, 4)
        expect(sitting.lines.contains { $0.contains("and 46 more; M shows all") })
        expect(sitting.lines.contains { $0.contains("b.iso") })
    }

    @Test func `marks a machine that has vanished in words, and shows it first`() {
        var sitting = Sitting.fleet(columns: 80, lines: 24, machines: 8)
        var view = FleetView(machines: (1...7).map { Sitting.machine("machine\($0)") })
        view.machines.append(Sitting.machine("machine8", isLost: true))
        sitting.wait(7)
        sitting.handle(.fleet(view))
        let line = sitting.lines.first { $0.contains("machine8") } ?? ""
        expect(line.contains("vanished") && line.contains("7 s ago"))
    }

    @Test(arguments: [(120, 36), (80, 24), (40, 10)])
    func `shows all machines in a panel on demand`(columns: Int, lines: Int) {
        var sitting = Sitting.fleet(columns: columns, lines: lines, machines: 50)
        sitting.press("M")
        expect(sitting.lines.contains { $0.contains("Machines") && $0.contains("1/50") })
        sitting.press("G")
        expect(sitting.lines.contains { $0.contains("machine50") })
        sitting.press(.escape)
        expect(!sitting.lines.contains { $0.contains("1/50") })
    }
}

@Suite struct `The dashboard over a fleet` {
    @Test(arguments: ["p", "+", "-", "m", "[", "x", ")", "a", "d", "D", "b", "o", "S", "&", "Q", "W"] as [Key])
    func `says why a key has no effect`(key: Key) {
        var sitting = Sitting.fleet()
        sitting.press("g")
        expectEqual(sitting.press(key), [])
        expect(!sitting.message.isEmpty)
        expectEqual(sitting.dashboard.mode, .normal)
    }

    @Test func `pauses, resumes, retries and limits the whole fleet`() {
        var sitting = Sitting.fleet()
        expectEqual(sitting.press("P"), ["pauseAll"])
        expectEqual(sitting.press("R"), ["retryFailed"])
        expectEqual(sitting.press("z").count, 1)
        expectEqual(sitting.press("q"), ["leave"])
    }

    @Test func `has only its own keys in the footer and the help`() {
        var sitting = Sitting.fleet(columns: 200, lines: 60)
        expect(sitting.footer.contains("M machines") && sitting.footer.contains("q leave"))
        expect(!sitting.footer.contains("add") && !sitting.footer.contains("settings"))
        sitting.press("?")
        let help = sitting.lines.joined(separator: "\n")
        expect(help.contains("leave; the fleet goes on") && !help.contains("session") && !help.contains("queue"))
        var own = Sitting(Sitting.fleetRows, columns: 200, lines: 60)
        expect(!own.footer.contains("machines"))
        own.press("M")
        expect(own.message.contains("on this machine"))
        own.press("?")
        expect(!own.lines.joined().contains("fleet"))
    }
}
