import TestSupport
import Testing
import WinchScreen

@testable import WinchBatch
@testable import WinchModel
@testable import WinchQueue
@testable import winch

@Suite struct `The user's own themes` {
    private let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder()
        home.makeFolder("winch")
    }

    /// - Parameter file: the contents of the settings file; `nil`: the file does not exist.
    private func sources(
        _ arguments: [String] = [], file: String? = nil, environment: [String: String] = [:]
    ) throws -> SettingSources {
        var environment = environment
        environment["XDG_CONFIG_HOME"] = home.path
        if let file { home.write("winch/winch.conf", Array(file.utf8)) }
        return try SettingSources(arguments: arguments, environment: environment)
    }

    @Test func `load the user's own themes and keys`() throws {
        home.makeFolder("winch/themes")
        home.write("winch/themes/sea.theme", Array("base=light\nbar-moving=#0088ff\nwaves=high\n".utf8))
        home.write("winch/themes/notes.txt", Array("none".utf8))
        let file = "theme=sea\nkey.pause=F5 p\nkey.dance=x\nkey.cancel=Hyper-C\n"
        let sources = try sources(file: file)
        #expect(sources.theme.name == "sea")
        #expect(sources.themes.themes.count == Theme.builtIn.count + 1)
        #expect(sources.problems.count == 3)
        #expect(sources.problems.contains { $0.hasSuffix("sea.theme:3: unknown name: waves") })
        #expect(sources.problems.contains { $0.hasSuffix("winch.conf:3: there is no action dance") })
        #expect(sources.problems.contains { $0.hasSuffix("winch.conf:4: there is no key Hyper-C") })
        #expect(sources.keys.problems.count == 2)
    }

    @Test func `report problems of a theme only when it is selected`() throws {
        home.makeFolder("winch/themes")
        home.write("winch/themes/sea.theme", Array("waves=high\n".utf8))
        home.write("winch/themes/lake.theme", Array("base=light\n".utf8))
        #expect(try sources(file: "theme=lake\n").problems == [])
        let sea = try sources(["--theme", "sea"])
        #expect(sea.problems.map { $0.hasSuffix("sea.theme:1: unknown name: waves") } == [true])
        // A theme that is selected later in the dashboard still has its problems.
        #expect(try sources(file: "").themes["sea"]?.problems == sea.problems)
    }

    @Test func `with an unknown theme keep the default one`() throws {
        let sources = try sources(file: "theme=plaid\njobs=5\n")
        #expect(sources.theme.name == Theme.standard.name)
        #expect(sources.problems.first?.contains("theme: 'plaid' is not one of dark, light") == true)
        #expect(throws: (any Error).self) { try self.sources(["--theme", "plaid"]) }
    }
}
