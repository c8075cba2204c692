@testable import WinchModel
@testable import WinchScreen

extension Sitting {
    static let fleetRows: [TransferSnapshot] = [
        .sample(1, "a.iso", .moving, have: 50, of: 100, rate: 10), .sample(2, "b.iso", of: 100),
        .sample(3, "c.iso", .failed(.httpStatus(404))),
    ]

    static func machine(_ name: String, isLost: Bool = false) -> FleetView.Machine {
        var machine = FleetView.Machine(name: name, version: "1.2", lastSeen: Moment.at(0))
        (machine.rate, machine.working, machine.jobs) = (ByteRate(perSecond: 2048), 3, 4)
        (machine.free, machine.isLost) = (ByteCount(bytes: 5 << 30), isLost)
        return machine
    }

    static func fleet(columns: Int = 120, lines: Int = 36, machines: Int = 3) -> Sitting {
        var sitting = Sitting(fleetRows, columns: columns, lines: lines)
        sitting.dashboard.isAttached = true
        let names = (1...machines).map { "machine\($0)" }
        let view = FleetView(
            machines: names.map { machine($0) },
            machineOf: [TransferID(1): "machine1", TransferID(2): "machine2", TransferID(3): "machine1"])
        sitting.handle(.fleet(view))
        return sitting
    }
}
