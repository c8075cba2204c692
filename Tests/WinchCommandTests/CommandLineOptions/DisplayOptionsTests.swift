import ArgumentParser
import Testing

@testable import WinchTerminal
@testable import winch

@Suite struct `The options of the display` {
    @Test func `choose the front end and its appearance`() throws {
        let options = try DisplayOptions.parse([
            "--output", "json", "--theme", "ocean", "--sort", "rate,reverse", "--no-animation", "--no-mouse", "--ascii",
            "--screen-reader", "--fps", "5", "--notify", "bell", "--exit",
        ])
        #expect(options.output == .json)
        #expect(options.theme == "ocean")
        #expect(options.sort == "rate,reverse")
        #expect(!options.animation && !options.mouse && options.ascii && options.screenReader && options.exit)
        #expect(options.fps == 5)
        #expect(options.notify == .bell)
    }

    @Test func `choose by the terminal, with 20 frames a second, when they are not given`() throws {
        let options = try DisplayOptions.parse([])
        #expect(options.output == .auto)
        #expect(options.fps == 20)
        #expect(options.animation && options.mouse && !options.ascii && !options.exit)
    }

    @Test(arguments: [
        "--output=html", "--fps=0", "--fps=21", "--sort=colour", "--columns=name,colour", "--notify=mail",
    ])
    func `refuse what has no meaning`(option: String) {
        #expect(throws: (any Error).self) { try DisplayOptions.parse([option]) }
    }
}
