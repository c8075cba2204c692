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

@Suite struct `A list for a fleet` {
    private func read(_ text: String) -> (entries: [FleetEntry], problems: [String]) {
        var reader = FleetEntryReader(Array(text.utf8))
        var entries: [FleetEntry] = []
        while let entry = reader.nextEntry() { entries.append(entry) }
        return (entries, reader.problems.map { "\($0.line): \($0.message)" })
    }

    @Test func `is cut into its entries, each with its options`() {
        let (entries, problems) = read(
            """
            # a comment
            http://h/a\thttp://m/a
             out=x/a
            # another one
             header=A: b

            http://h/b
            http://h/c
            \tmax-tries=2
            """)
        expectEqual(problems, [])
        expectEqual(
            entries.map(\.text),
            [
                "http://h/a\thttp://m/a\n out=x/a\n header=A: b\n", "http://h/b\n", "http://h/c\n\tmax-tries=2\n",
            ])
    }

    @Test func `gives entries with the same first URL, name and account the same ID, and no others`() {
        let (entries, _) = read(
            "http://h/a\nHTTP://H:80/a\n max-tries=3\nhttp://h/a\thttp://m/a\nhttp://h/a\n out=b\nhttp://h/b\n"
                + "http://h/a\n user=a\nhttp://h/a\n user=b\nhttp://h/a\n header=a: b\n")
        let ids = entries.map(\.id)
        expect(ids[0] == ids[1] && ids[0] == ids[2])
        expectEqual(Set(ids).count, 6)
        expect(ids.allSatisfy { $0.count == 32 })
    }

    @Test(arguments: [
        "ftp://h/x\n upload=/etc/passwd", "http://h/a\n on-done=rm -rf x", "http://h/a\n dir=/etc",
        "http://h/a\n dir=../x", "http://h/a/\n recursive=true",
        "http://h/a\n dir=~/x", "nonsense", "http://h/a\n out=../x",
    ])
    func `leaves out what cannot travel, and says why`(text: String) {
        let (entries, problems) = read(text + "\nhttp://h/good\n")
        expectEqual(entries.map(\.text), ["http://h/good\n"])
        expectEqual(problems.count, 1)
    }

    @Test func `leaves out an entry that is longer than the server takes`() {
        var reader = FleetEntryReader(Array("http://h/long\nhttp://h/a\n".utf8), longest: 12)
        expectEqual(reader.nextEntry()?.text, "http://h/a\n")
        expectNil(reader.nextEntry())
        expectEqual(reader.problems.map(\.line), [1])
    }

    @Test func `can be a Metalink`() {
        let (entries, problems) = read(
            """
            <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="x.iso">
            <hash type="sha-256">\(String(repeating: "ab", count: 32))</hash><url>http://h/x.iso</url><url>http://m/x.iso</url>
            </file></metalink>
            """)
        expectEqual(problems, [])
        expectEqual(
            entries.map(\.text),
            [
                "http://h/x.iso\thttp://m/x.iso\n out=x.iso\n checksum=sha-256=\(String(repeating: "ab", count: 32))\n"
            ])
    }
}
