import ArgumentParser
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The options of the log` {
    @Test func `name the file and the lowest level`() throws {
        let options = try LogOptions.parse(["--log", "x", "--log-level", "debug"])
        #expect(options.file == "x")
        #expect(options.level == .debug)
        #expect(options.arguments == ["--log", "x", "--log-level", "debug"])
    }

    @Test func `log nothing when no file is named, and refuse an unknown level`() throws {
        #expect(try LogOptions.parse([]).arguments == [])
        #expect(throws: (any Error).self) { try LogOptions.parse(["--log-level", "loud"]) }
    }
}
