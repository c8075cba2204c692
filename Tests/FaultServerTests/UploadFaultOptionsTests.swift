import Testing

@testable import FaultServer

@Suite struct `The options of an upload` {
    private func parse(_ query: String) throws(FaultServerFailure) -> UploadFaultOptions? {
        try UploadFaultOptions(RequestTarget("/up/a?" + query))
    }

    @Test(arguments: FaultOptionsHelp.examples(in: FaultOptionsHelp.uploads))
    func `are those of the guide`(example: String) throws {
        #expect(try parse(example) != parse(""), "the option changes something")
    }

    @Test(arguments: ["etag=x", "size=1", "noend", "then=maybe", "answerat=", "expect=maybe", "progress=x"])
    func `are none that only a download has, and no false values`(query: String) {
        #expect(throws: FaultServerFailure.self) { try parse(query) }
    }

    @Test func `hold below /up alone, also in the form that a proxy is sent`() throws {
        #expect(try UploadFaultOptions(RequestTarget("/f/a?drop=1")) == nil)
        #expect(try UploadFaultOptions(RequestTarget("/upper")) == nil)
        #expect(try UploadFaultOptions(RequestTarget("http://h:8/up/%C3%A9?drop=1"))?.shared.key == "/up/é")
    }
}
