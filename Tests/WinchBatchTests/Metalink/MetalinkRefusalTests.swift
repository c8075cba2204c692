import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel

@Suite struct `A Metalink that is refused` {
    private static let start = "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">"

    private func refusal(_ text: String) -> BatchProblem? {
        let metalink = Metalink(Array(text.utf8))
        expectEqual(metalink.files, [])
        expectEqual(metalink.problems.count, 1)
        expect(metalink.problems.map(\.severity).contains(.error))
        return metalink.problems.first
    }

    @Test(
        arguments: [
            ("\n<rss></rss>", 2, "this is XML, but no Metalink: it begins with <rss>"),
            ("<metalink xmlns='urn:x'/>", 1, "this is XML, but no Metalink: it begins with <metalink>"),
            ("\(start)\n\n<file name='a'><url>http://h/a</url></file>", 3, "not well-formed XML: no element found"),
            ("\(start)\n<file></x>", 2, "not well-formed XML: mismatched tag"),
            ("\(start)<file name='a'><url>&a;</url></file></metalink>", 1, "not well-formed XML: undefined entity"),
            ("http://h/a", 1, "not well-formed XML: not well-formed (invalid token)"),
            ("", 1, "not well-formed XML: no element found"),
        ])
    func `is named with its line`(text: String, line: Int, words: String) {
        expectEqual(refusal(text), BatchProblem(line: line, severity: .error, message: words))
    }

    @Test func `defines entities`() {
        let problem = refusal(
            """
            <?xml version="1.0"?>
            <!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>
            \(Self.start)<file name="&b;"><url>http://h/a</url></file></metalink>
            """)
        expectEqual(problem?.line, 2)
        expectEqual(problem?.message.hasPrefix("a document type (DOCTYPE) is not allowed"), true)
    }

    @Test func `is nested deeply`() {
        let problem = refusal(Self.start + String(repeating: "<a>\n", count: 100_000))
        expectEqual(problem, BatchProblem(line: 32, severity: .error, message: "elements are nested more than 32 deep"))
    }

    @Test func `is too big`() {
        let problem = refusal(Self.start + String(repeating: " ", count: Metalink.largest))
        expectEqual(problem?.message, "a Metalink has at most 16 MiB; this file has more")
    }

    @Test func `has too many pieces, URLs or files`() throws {
        let file = Self.start + "<file name='a'>"
        let pieces = "<pieces length='1' type='md5'>" + String(repeating: "<hash/>", count: 1000)
        expectEqual(refusal(file + pieces)?.message, "not well-formed XML: no element found")
        // Without the XML, which takes seconds for so many.
        var draft = MetalinkFileDraft(name: "a", line: 1)
        draft.beginPieces(type: "md5", length: "1", line: 1)
        for _ in 0..<262_144 { try draft.beginPiece(index: nil, line: 1) }
        #expect(throws: InvalidValue("a file has at most 262,144 pieces")) { try draft.beginPiece(index: nil, line: 1) }
        let urls = String(repeating: "<url>http://h/a</url>", count: 1001)
        expectEqual(refusal(file + urls)?.message, "a file has at most 1,000 URLs")
        let files = (0..<4).map { "<file name='\($0)'><url>ftp://h</url></file>" }.joined()
        let fault = XMLReader(MetalinkBuilder(mostFiles: 3)).read(Array((Self.start + files).utf8))
        expectEqual(fault?.message, "a Metalink has at most 3 files")
    }

    @Test func `has an endless text`() {
        let text = Self.start + "<file name='a'><url>http://h/" + String(repeating: "a", count: 1 << 20)
        expectEqual(refusal(text)?.message, "the text of an element is longer than 65536 bytes")
    }
}
