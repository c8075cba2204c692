import ArgumentParser
import TestSupport
import Testing

@testable import winch

@Suite struct `The run of a session` {
    @Test func `writes no file to standard output`() throws {
        // --unit ends a run that is not refused.
        let sources = try SettingSources(arguments: ["--unit", "-o", "-", "http://h/f"], environment: [:])
        let error = #expect(throws: ValidationError.self) {
            try ServeRun(sources: sources, ending: ProcessEnding()).run()
        }
        expectEqual(
            error?.message, "a session has no standard output: give -o a name, or run winch -o - URL")
    }
}
