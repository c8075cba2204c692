package import WinchModel

/// What a dashboard over several machines shows beside the rows and the totals.
package struct FleetView: Hashable, Sendable {
    /// Sorted as they are listed.
    package var machines: [Machine]
    /// By row: the name of the machine that has it.
    package var machineOf: [TransferID: String]

    package init(machines: [Machine] = [], machineOf: [TransferID: String] = [:]) {
        (self.machines, self.machineOf) = (machines, machineOf)
    }

    /// A worker, as it has shown itself last.
    package struct Machine: Hashable, Sendable {
        package var name: String
        package var version: String
        /// The version is not that of this program.
        package var isOtherVersion = false
        package var rate: ByteRate?
        package var connections = 0
        /// Entries that move, and how many may at a time.
        package var working = 0
        package var jobs = 0
        /// Since the worker's start.
        package var done = 0
        package var failed = 0
        /// On the disk of its folder; `nil`: not known.
        package var free: ByteCount?
        package var lastSeen: Moment
        /// It has not shown itself for so long that it is taken as dead or cut off.
        package var isLost = false

        package init(name: String, version: String, lastSeen: Moment) {
            (self.name, self.version, self.lastSeen) = (name, version, lastSeen)
        }
    }
}

/// The machines of a fleet: a heading, and a line for each.
struct MachineTable {
    let look: Appearance
    let fleet: FleetView
    let now: Moment

    private struct Field {
        let heading: String
        let width: Int
        /// Where the columns do not fit, the one with the lowest worth is dropped first; `nil`: never.
        let worth: Int?
        var align = Canvas.Alignment.right
        let text: (FleetView.Machine) -> String
        var isWarning: (FleetView.Machine) -> Bool = { _ in false }
    }

    private var fields: [Field] {
        [
            Field(heading: "Machine", width: 14, worth: nil, align: .left, text: \.name),
            Field(
                heading: "Rate", width: 10, worth: nil,
                text: { $0.isLost ? "vanished" : $0.rate.map(NumberFormat.rate) ?? "" }, isWarning: \.isLost),
            Field(heading: "At work", width: 7, worth: 6) { "\($0.working)/\($0.jobs)" },
            Field(heading: "Conns", width: 5, worth: 4) { "\($0.connections)" },
            Field(heading: "Disk free", width: 9, worth: 5) { $0.free.map(NumberFormat.bytes) ?? "?" },
            Field(heading: "Done", width: 7, worth: 1) { NumberFormat.count($0.done) },
            Field(
                heading: "Failed", width: 6, worth: 2, text: { NumberFormat.count($0.failed) },
                isWarning: { $0.failed > 0 }),
            Field(heading: "Version", width: 8, worth: 3, text: \.version, isWarning: \.isOtherVersion),
            Field(heading: "Seen", width: 9, worth: nil, text: seen, isWarning: \.isLost),
        ]
    }

    /// A worker shows itself each second; less than two are the usual.
    private func seen(_ machine: FleetView.Machine) -> String {
        let span = now - machine.lastSeen
        guard machine.isLost || span >= .seconds(2) else { return "now" }
        return DurationFormat.text(span) + " ago"
    }

    private func fitting(_ columns: Int) -> [Field] {
        var shown = fields
        while shown.reduce(-Self.gap, { $0 + $1.width + Self.gap }) > columns,
            let least = shown.compactMap(\.worth).min()
        {
            shown.removeAll { $0.worth == least }
        }
        return shown
    }

    private static let gap = 2
    private static let widestName = 32

    /// The machines that are shown in so many lines, the lost ones first, and how many are left out.
    private func chosen(_ lines: Int) -> (machines: [FleetView.Machine], left: Int) {
        guard fleet.machines.count > lines else { return (fleet.machines, 0) }
        let sorted = fleet.machines.filter(\.isLost) + fleet.machines.filter { !$0.isLost }
        let count = max(0, lines - 1)
        return (Array(sorted.prefix(count)), sorted.count - count)
    }

    func draw(on canvas: inout Canvas, column: Int, rows: Range<Int>, columns: Int) {
        guard !rows.isEmpty else { return }
        let (machines, left) = chosen(rows.count - 1)
        draw(machines[...], on: &canvas, column: column, rows: rows, columns: columns)
        if left > 0 {
            canvas.write(
                look.text("and \(left) more; M shows all"), look.theme.quiet, column: column, row: rows.upperBound - 1,
                width: columns)
        }
    }

    func draw(
        _ machines: ArraySlice<FleetView.Machine>, on canvas: inout Canvas, column: Int, rows: Range<Int>, columns: Int
    ) {
        guard let top = rows.first else { return }
        let (fields, theme) = (fitting(columns), look.theme)
        canvas.clear(column: column, row: top, columns: columns, style: theme.heading)
        draw(fields, on: &canvas, column: column, row: top, columns: columns) { ($0.heading, theme.heading) }
        for (row, machine) in zip(rows.dropFirst(), machines) {
            draw(fields, on: &canvas, column: column, row: row, columns: columns) { field in
                let style = field.isWarning(machine) ? theme.warning : machine.isLost ? theme.quiet : theme.text
                return (field.text(machine), style)
            }
        }
    }

    private func draw(
        _ fields: [Field], on canvas: inout Canvas, column: Int, row: Int, columns: Int,
        _ text: (Field) -> (String, Style)
    ) {
        let spare = max(0, columns - fields.reduce(-Self.gap, { $0 + $1.width + Self.gap }))
        var place = column
        for (index, field) in fields.enumerated() {
            // The name of the machine takes what is left of the line, within reason.
            let width = field.width + (index == 0 ? min(spare, Self.widestName - field.width) : 0)
            let (words, style) = text(field)
            canvas.write(look.text(words), style, column: place, row: row, width: width, align: field.align)
            place += width + Self.gap
        }
    }
}

struct MachinesPanel {
    let frame: Frame
    let top: Int

    func draw(on canvas: inout Canvas) {
        guard let fleet = frame.state.fleet else { return }
        let height = frame.state.panelHeight
        let count = fleet.machines.count
        let place = count > height - 1 ? "\(top + 1)/\(count)" : "\(count)"
        frame.drawBox(on: &canvas, title: [frame.run("Machines", frame.theme.title)], note: place)
        let first = frame.state.layout.panelTop + 1
        MachineTable(look: frame.look, fleet: fleet, now: frame.figuresAt)
            .draw(
                fleet.machines.dropFirst(top), on: &canvas, column: 2, rows: first..<first + height,
                columns: canvas.columns - 4)
    }
}

extension Dashboard {
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
}
