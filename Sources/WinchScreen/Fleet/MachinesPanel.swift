import WinchModel

/// All machines of a fleet, over the table.
struct MachinesPanel {
    let frame: Frame
    let top: Int

    func draw(on canvas: inout Canvas) {
        guard let fleet = frame.state.fleet else { return }
        let (layout, height) = (frame.state.layout, frame.state.panelHeight)
        let count = fleet.machines.count
        let place = count > height - 1 ? "\(top + 1)/\(count)" : "\(count)"
        PanelBox(look: frame.look, column: 0, row: layout.panelTop, columns: canvas.columns, rows: height + 2)
            .draw(
                on: &canvas, title: [frame.run("Machines", frame.theme.title)],
                note: [frame.run(place, frame.theme.quiet)]
            )
        let first = layout.panelTop + 1
        MachineTable(look: frame.look, fleet: fleet, now: frame.figuresAt)
            .drawAll(from: top, on: &canvas, column: 2, rows: first..<first + height, columns: canvas.columns - 4)
    }
}

extension Dashboard {
    /// A sentence for each machine.
    var spokenMachines: [String] {
        let machines = fleet?.machines ?? []
        guard !machines.isEmpty else { return ["No machine is at work."] }
        return machines.map { machine in
            if machine.isLost { return "\(machine.name) has vanished." }
            let rate = machine.rate.map { ", \(NumberFormat.rate($0))" } ?? ""
            return "\(machine.name): \(machine.working) of \(machine.jobs) at work\(rate), \(machine.done) done, "
                + "\(machine.failed) failed."
        }
    }

    /// Handles a key in the panel of the machines.
    mutating func pressInMachines(_ key: Key, top: Int) {
        let page = max(1, panelHeight - 1)
        let last = max(0, (fleet?.machines.count ?? 0) - page)
        switch keyMap[key] {
        case .up: mode = .machines(top: max(0, top - 1))
        case .down: mode = .machines(top: min(last, top + 1))
        case .pageUp: mode = .machines(top: max(0, top - page))
        case .pageDown: mode = .machines(top: min(last, top + page))
        case .first: mode = .machines(top: 0)
        case .last: mode = .machines(top: last)
        case .machines, .back, .quit: mode = .normal
        default: break
        }
    }
}
