import TestSupport
import Testing
import WinchScreen

@testable import WinchModel
@testable import WinchTerminal

@Suite struct `The driver of a dashboard` {
    private final class Surface: DashboardSurface {
        var takesBytes = true
        var stops = 0
        private(set) var retakes = 0

        var isElsewhere: Bool { false }
        func releaseTerminal(within timeout: Duration) -> Bool { takesBytes }
        func retakeTerminal(at now: Moment) { retakes += 1 }
        func resize(at now: Moment) {}
        func redraw() {}
        func requestUrgentFrame() {}
        func expectAnswer(at now: Moment) {}
        func copy(_ text: String) throws(InvalidValue) {}
        func setFrames(perSecond: Int) {}
        func setMouse(_ isOn: Bool) {}
        func didShow(_ event: ScreenEvent, at now: Moment) {}
    }

    private let surface: Surface
    private let driver: DashboardDriver

    init() throws {
        let surface = Surface()
        var ports = DashboardPorts(RecordingQueue())
        ports.stop = { surface.stops += 1 }
        driver = try DashboardDriver(
            Dashboard(title: "driver", look: Appearance(isAnimated: false), columns: 80, rows: 24),
            mailbox: LoopMailbox(), decoder: KeyDecoder(), ports: ports)
        driver.surface = surface
        self.surface = surface
    }

    @Test func `stops only when the terminal has taken what restores it`() {
        surface.takesBytes = false
        driver.hear([.suspend], at: driver.clock.now())
        expectEqual(surface.stops, 0)
        expectEqual(surface.retakes, 1)
        surface.takesBytes = true
        driver.hear([.suspend], at: driver.clock.now())
        expectEqual(surface.stops, 1)
        expectEqual(surface.retakes, 2)
    }

    @Test func `drops an Escape behind the key that stops it`() {
        driver.take(Array("\u{1A}\u{1B}".utf8), at: driver.clock.now())
        expectEqual(surface.stops, 1)
        expectNil(driver.settleAt, "it would act after the stop")
    }

    @Test func `stops once for all keys of one read`() {
        for stops in 1...2 {
            driver.take(Array("\u{1A}\u{1A}q".utf8), at: driver.clock.now())
            expectEqual(surface.stops, stops)
            expectNil(driver.end)
        }
    }
}
