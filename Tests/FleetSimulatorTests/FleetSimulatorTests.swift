import Testing

@testable import winch_fleet_simulator

@Suite struct `A simulated fleet` {
    private static func scenario(_ change: (inout FleetScenario) -> Void = { _ in }) -> FleetScenario {
        var scenario = FleetScenario()
        (scenario.workers, scenario.entries) = (20, 1_000_000)
        change(&scenario)
        return scenario
    }

    private static func result(_ seed: UInt64 = 1, _ change: (inout FleetScenario) -> Void = { _ in })
        -> SimulatedFleet.Result
    {
        var fleet = SimulatedFleet(scenario(change), seed: seed)
        return fleet.run()
    }

    @Test func `is the same again under the same seed`() {
        #expect(Self.result(3) { $0.deathsPerHour = 20 } == Self.result(3) { $0.deathsPerHour = 20 })
        #expect(Self.result(3) { $0.deathsPerHour = 20 } != Self.result(4) { $0.deathsPerHour = 20 })
    }

    @Test func `takes close to the ideal time when nothing dies and the server is idle`() {
        let result = Self.result { ($0.deathsPerHour, $0.overhead) = (0, 0.1) }
        #expect((1...1.1).contains(result.settled / result.ideal))
        #expect(result.serverBound == 0)
        #expect(result.deaths == 0 && result.again == 0)
    }

    @Test func `takes half the time with twice the workers, until the list arrives no faster`() {
        func time(_ workers: Int) -> Double {
            Self.result { ($0.workers, $0.deathsPerHour, $0.overhead) = (workers, 0, 0.1) }.settled
        }
        #expect((1.8...2.2).contains(time(20) / time(40)))
        let scenario = Self.scenario()
        #expect(time(20_000) >= Double(scenario.entries) / scenario.submitRate)
    }

    @Test func `hands the entries of the dead out again, and is slower for it`() {
        let quiet = Self.result { $0.deathsPerHour = 0 }
        let deadly = Self.result { ($0.deathsPerHour, $0.restartTime) = (30, 60) }
        #expect(deadly.deaths > 0)
        #expect(deadly.again <= deadly.deaths * 16)
        #expect(deadly.settled > quiet.settled)
    }

    @Test func `is held back by a server that needs more than a core for its queue`() {
        let result = Self.result { ($0.costs.deliver, $0.workers) = (1e-3, 200) }
        #expect(result.serverBound > 0)
        #expect(result.settled >= 1_000_000 * 1e-3)
    }

    @Test func `is held back by hosts that admit few connections`() {
        let few = Self.result { ($0.hosts, $0.hostLimit) = (2, 8) }
        #expect(few.settled > 5 * Self.result().settled)
    }

    @Test func `needs memory for every identity, and disk for every result`() {
        let result = Self.result()
        let costs = ServerCosts()
        #expect(result.memory >= 1_000_000 * costs.identityMemory)
        #expect(result.disk >= 0.9 * 1_000_000 * costs.resultDisk)
    }
}

@Suite struct `What a fleet outgrows` {
    @Test func `comes in the order in which it is reached, and breaks where the simulation has reached it`() throws {
        var scenario = FleetScenario()
        let bounds = FleetBounds(scenario).all
        #expect(bounds.map(\.load) == bounds.map(\.load).sorted(by: >))
        #expect(bounds.first?.name == "memory for the identities of entries and results")
        scenario.machine.memory = 1e12
        #expect(FleetBounds(scenario).all.first?.name != bounds.first?.name)
    }

    @Test(arguments: ["workers", "workers=", "workers=0", "workers=x", "line=-1", "line=0", "line=nan", "entries=1e99"])
    func `is computed from numbers only`(text: String) {
        var scenario = FleetScenario()
        #expect(throws: FleetScenario.InvalidParameter.noNumber(text)) { try scenario.take(text) }
    }

    @Test func `is computed from known parameters only`() throws {
        var scenario = FleetScenario()
        #expect(throws: FleetScenario.InvalidParameter.unknown("wrkers")) { try scenario.take("wrkers=3") }
        try scenario.take("entries=1e8")
        try scenario.take("deaths-per-hour=0")
        #expect(scenario.entries == 100_000_000 && scenario.deathsPerHour == 0)
    }
}
