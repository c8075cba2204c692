import TestSupport
import Testing
import WinchBatch
import WinchModel

@testable import WinchFleet

@Suite struct `An entry that a worker reads` {
    private let folder = WorkingFolder("/data")

    @Test func `is the one of the list, below the worker's folder`() throws {
        let spec = try FleetEntry.spec(
            Array("http://h/a\thttp://m/a\n dir=sub\n out=b\n max-tries=7\n".utf8), in: folder)
        expectEqual(spec.urls.map(\.text), ["http://h/a", "http://m/a"])
        expectEqual(spec.folder, "/data/sub")
        expectEqual(spec.name?.text, "b")
        expectEqual(spec.settings.value.maxTries, 7)
    }

    @Test(arguments: [
        "", "\n", "http://h/a\nhttp://h/b\n", "nonsense", "http://h/a\n dir=/etc\n", "http://h/a\n on-done=x\n",
        "http://h/a\n newer-option=1\n", "\u{0}\u{1}", "http://h/a\n upload=/etc/passwd\n",
    ])
    func `is refused when it is not one entry that can travel`(text: String) {
        #expect(throws: InvalidValue.self) { try FleetEntry.spec(Array(text.utf8), in: folder) }
    }

    @Test func `never begins paused, and is one file`() throws {
        let spec = try FleetEntry.spec(Array("http://h/a\n pause=true\n no-metalink=false\n".utf8), in: folder)
        expect(!spec.startsPaused)
        expectEqual(spec.settings.value.metalink, .save)
    }
}
