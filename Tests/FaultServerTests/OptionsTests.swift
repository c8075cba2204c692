import TestSupport
import Testing

@testable import FaultServer

@Suite struct `The behaviour in a URL's query` {
    private func parse(_ query: String) throws(FaultServerFailure) -> FaultOptions? {
        try FaultOptions(RequestTarget("/f/a?" + query))
    }

    @Test(arguments: [("0", 0), ("5", 5), ("64K", 64 << 10), ("3m", 3 << 20), ("2G", 2 << 30)] as [(String, Int64)])
    func `reads sizes in powers of 1024`(text: String, size: Int64) throws {
        try expectEqual(parse("size=\(text)")?.size, size)
    }

    @Test(arguments: [
        "size=x", "size=-1", "size=", "size=99999999999G", "latency=soon", "latency=-1", "latency=nan", "status=200,",
        "status=no", "ranges=maybe", "retryafter=later", "header=nocolon", "redirectcode=1",
    ])
    func `refuses a malformed value, and one outside the allowed set`(query: String) {
        #expect(throws: FaultServerFailure.self) { try parse(query) }
    }

    @Test func `refuses an unknown option`() {
        #expect(throws: FaultServerFailure.unknownOption("sizee")) { try parse("sizee=3") }
    }

    @Test(arguments: FaultOptions.examples(FaultOptions.fileHelp + FaultOptions.sharedHelp))
    func `accepts the examples of the help`(example: String) throws {
        try expect(parse(example) != parse(""), "the option changes something")
    }

    @Test func `decodes values to bytes, not to text`() throws {
        try expectEqual(parse("disposition=%FF%1b+%4")?.disposition, [0xFF, 0x1B, 0x2B, 0x25, 0x34])
    }

    @Test func `takes its seed from the decoded name`() throws {
        let behaviour = try FaultOptions(RequestTarget("/f/%C3%A9/b"))
        expectEqual(behaviour?.seed, SeededContent.seed(of: "é/b"))
        expectEqual(behaviour?.key, "/f/é/b")
    }

    @Test func `exists only for paths of served files`() throws {
        try expectNil(FaultOptions(RequestTarget("/stats")))
    }
}

@Suite struct `The options of an upload` {
    private func parse(_ query: String) throws(FaultServerFailure) -> FaultOptions? {
        try FaultOptions(RequestTarget("/up/a?" + query))
    }

    @Test(arguments: FaultOptions.examples(FaultOptions.sharedHelp + FaultOptions.uploadHelp))
    func `are those of the help`(example: String) throws {
        try expect(parse(example) != parse(""), "the option changes something")
    }

    @Test(arguments: ["etag=x", "size=1", "noend", "then=maybe", "answerat=", "expect=maybe", "progress=x"])
    func `are none that only a download has, and no false values`(query: String) {
        #expect(throws: FaultServerFailure.self) { try parse(query) }
    }

    @Test func `hold below /up alone, also in the form that a proxy is sent`() throws {
        #expect(throws: FaultServerFailure.unknownOption("needlength")) {
            try FaultOptions(RequestTarget("/f/a?needlength"))
        }
        try expectNil(FaultOptions(RequestTarget("/upper")))
        try expectEqual(FaultOptions(RequestTarget("http://h:8/up/%C3%A9?drop=1"))?.key, "/up/é")
    }
}

@Suite struct `The options of a generated tree` {
    @Test(arguments: FaultOptions.examples(FaultOptions.treeHelp))
    func `are those of the help`(example: String) throws {
        let plain = try require(FaultOptions(RequestTarget("/tree//"))?.place)
        try expect(FaultOptions(RequestTarget("/tree/\(example)/"))?.place != plain, "the option changes something")
    }
}
