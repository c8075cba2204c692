import WinchModel

/// The text of a simulation.
struct FleetReport {
    let scenario: FleetScenario
    let result: SimulatedFleet.Result
    let bounds: FleetBounds

    init(_ scenario: FleetScenario, seed: UInt64) {
        self.scenario = scenario
        var fleet = SimulatedFleet(scenario, seed: seed)
        result = fleet.run()
        bounds = FleetBounds(scenario)
    }

    var lines: [String] {
        let most = FleetBounds.mostEntriesPerSecond(scenario.costs)
        let rate = Double(scenario.entries) / max(result.settled, 1e-9)
        return [
            "\(NumberFormat.count(scenario.entries)) entries, \(NumberFormat.count(scenario.workers)) workers",
            "time       \(span(result.settled)), \(Self.round(result.settled / result.ideal, 2)) x ideal; "
                + "submitted after \(span(result.submitted))",
            "entries    \(count(rate)) a second; the server can hand out \(count(most))",
            "server     memory \(bytes(result.memory)), disk \(bytes(result.disk)), \(count(result.messages)) messages a second, "
                + "\(Self.round(result.cpu, 2)) cores, \(Self.round(result.queueCPU, 2)) of them for the queue",
            "           held the run back for \(span(result.serverBound))",
            "deaths     \(NumberFormat.count(result.deaths)); handed out again: \(NumberFormat.count(result.again)) entries",
        ] + gateLines + boundLines + measureLines
    }

    /// For `Scripts/fleet-bench.py`.
    private var measureLines: [String] {
        [
            ("time", result.settled), ("messages", result.messages), ("entry-bytes", scenario.costs.entryDisk),
            ("result-bytes", scenario.costs.resultDisk),
        ].map { "measure \($0) \($1)" }
    }

    private var gateLines: [String] {
        var gate = SimulatedGate()
        (gate.workers, gate.limit, gate.jobs, gate.most) =
            (scenario.workers, scenario.hostLimit, scenario.jobs, scenario.gate)
        let shared = gate.run(span: 20_000, seed: 1)
        let alone = gate.alone(steps: 300, seed: 1)
        let host = "refusals in 20 s by a host that admits \(gate.limit)"
        return [
            "gate       shared: \(NumberFormat.count(shared.refusals)) \(host), \(NumberFormat.count(shared.most)) connections at "
                + "most, \(shared.used) in use; \(NumberFormat.count(shared.messages / 20)) messages a second, "
                + "\(NumberFormat.count(shared.conflicts)) conflicts",
            "gate       one a worker: \(NumberFormat.count(alone.refusals)) refusals in 300 answers, "
                + "\(NumberFormat.count(alone.most)) connections at most, \(alone.used) in use",
        ]
    }

    private var boundLines: [String] {
        bounds.all.map { bound in
            let mark = bound.load > 1 ? "BREAKS" : "holds "
            return "\(mark)     \(bound.name): up to \(count(bound.size)) \(bound.unit)"
        }
    }

    private func bytes(_ count: Double) -> String { NumberFormat.bytes(ByteCount(bytes: Int64(count))) }
    private func span(_ seconds: Double) -> String { DurationFormat.text(.seconds(seconds)) }
    private func count(_ number: Double) -> String { NumberFormat.count(Int(min(number, 1e15))) }

    static func round(_ number: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return "\((number * scale).rounded() / scale)"
    }
}
