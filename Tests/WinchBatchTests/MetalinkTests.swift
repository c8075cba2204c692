import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel

@Suite struct `A Metalink` {
    static let sha256 = String(repeating: "ab", count: 32)
    static let sha1 = String(repeating: "cd", count: 20)
    static let md5 = String(repeating: "ef", count: 16)

    /// A file of version 4 in lines 2 and 3 and following.
    static func version4(_ inner: String, name: String = "a.iso") -> Metalink {
        Metalink(
            Array(
                "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\n<file name=\"\(name)\">\n\(inner)</file></metalink>"
                    .utf8))
    }

    static func url(_ text: String) throws -> TransferURL { try TransferURL(text) }

    @Test func `of version 4 is read with sizes, hashes, pieces and mirrors by priority`() throws {
        let metalink = Metalink(
            Array(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <metalink xmlns="urn:ietf:params:xml:ns:metalink" xmlns:x="urn:other">
                  <generator>x</generator><published>2009-05-15T12:23:23Z</published>
                  <file name="images/a.iso">
                    <identity>A</identity><x:size>7</x:size><size> 2500 </size>
                    <hash type="md5">\(Self.md5)</hash><hash type="sha-256">\(Self.sha256.uppercased())</hash>
                    <hash type="tiger">1</hash>
                    <pieces length="1000" type="md5"><hash>\(Self.md5)</hash><hash>\(Self.md5)</hash><hash>\(Self.md5)</hash></pieces>
                    <pieces length="1250" type="sha-1"><hash>\(Self.sha1)</hash><hash>\(Self.sha1)</hash></pieces>
                    <signature mediatype="application/pgp-signature">-----BEGIN</signature>
                    <metaurl mediatype="torrent">http://t/a.torrent</metaurl>
                    <url>http://last/a</url><url priority="2" location="de">http://second/a?b&amp;c</url>
                    <url priority="1">https://first/a</url><url priority="9">https://first/a</url>
                    <url>rsync://r/a</url>
                  </file>
                  <file name="b"><url>ftp://f/b</url></file>
                </metalink>
                """.utf8))
        expectEqual(metalink.problems, [])
        let pieces = try require(
            PieceHashes(length: ByteCount(bytes: 1250), algorithm: .sha1, digests: Array(repeating: 0xCD, count: 40)))
        expectEqual(
            metalink.files,
            [
                MetalinkFile(
                    line: 4, path: try TargetPath("images/a.iso"), size: ByteCount(bytes: 2500),
                    checksum: Checksum("sha-256=\(Self.sha256)"), pieces: pieces,
                    urls: try ["https://first/a", "http://second/a?b&c", "http://last/a"].map { try TransferURL($0) }),
                MetalinkFile(line: 16, path: try TargetPath("b"), urls: [try TransferURL("ftp://f/b")]),
            ])
    }

    @Test func `of version 3 is read with its preferences and numbered pieces`() throws {
        let metalink = Metalink(
            Array(
                """
                <metalink version="3.0" xmlns="http://www.metalinker.org/"><files>
                <file name="a.iso"><size>1500</size><verification>
                <hash type="sha1">\(Self.sha1)</hash><hash type="md5">\(Self.md5)</hash>
                <pieces length="1000" type="sha1"><hash piece="0">\(Self.sha1)</hash><hash piece="1">\(Self.sha1)</hash></pieces>
                </verification><resources maxconnections="5">
                <url type="http" preference="10">http://low/a</url><url type="bittorrent">http://t/a.torrent</url>
                <url type="http">http://none/a</url>
                <url type="ftp" preference="100">ftp://high/a</url><url type="magnet">magnet:?xt=1</url></resources></file>
                </files></metalink>
                """.utf8))
        expectEqual(metalink.problems, [])
        let file = try require(metalink.files.first)
        expectEqual(file.checksum, Checksum("sha-1=\(Self.sha1)"))
        expectEqual(file.pieces?.count, 2)
        expectEqual(file.urls.map(\.text), ["ftp://high/a", "http://low/a", "http://none/a"])
    }

    @Test(
        arguments: [
            ("../a", "the name leaves the target folder ('..')"),
            ("a/../../b", "the name leaves the target folder ('..')"),
            ("/etc/passwd", "the name is absolute; give a path below the target folder"),
            ("", "the name names no file"), ("a/", "the name names no file"),
            ("a&#9;b", "the name has a control character in it"),
        ])
    func `never names a file outside the target folder`(name: String, words: String) {
        let metalink = Self.version4("<url>http://h/a</url>", name: name)
        expectEqual(metalink.files, [])
        expectEqual(metalink.problems.map(\.line), [2])
        expectEqual(metalink.problems.first?.message.hasSuffix(words), true, "\(metalink.problems)")
    }

    @Test(
        arguments: [
            (".bashrc", "_bashrc"), ("-rf", "_rf"), ("d/.ssh/a", "d/_ssh/a"), ("a\u{202E}gpj.exe", "agpj.exe"),
            ("C:\\x\\a", "a"), ("./a//b", "a/b"), ("~/a", "_/a"),
        ])
    func `has its names made safe as those from a server`(name: String, safe: String) {
        expectEqual(Self.version4("<url>http://h/a</url>", name: name).files.map(\.path.text), [safe])
    }

    /// One character with an accent, and a letter with a combining one.
    @Test func `may have two files whose names Swift takes for equal`() {
        let inner = "<url>http://h/a</url></file><file name=\"e\u{301}\"><url>http://h/b</url>"
        expectEqual(Self.version4(inner, name: "\u{E9}").files.map(\.path.text.utf8.count), [2, 3])
    }

    @Test(
        arguments: [
            ("<size>-1</size>", "no size in bytes: -1"), ("<size>9223372036854775808</size>", "no size in bytes: "),
            ("<size></size>", "no size in bytes: "), ("<hash type=\"sha-1\">12</hash>", "no sha-1 hash: 12"),
            (
                "<hash type=\"md5\">\(md5)</hash><hash type=\"md5\">\(md5.replacing("e", with: "0"))</hash>",
                "another md5 hash"
            ),
        ])
    func `leaves out a file whose size or hash is wrong, and takes the others`(inner: String, words: String) {
        let metalink = Self.version4(
            "\n\(inner)<url>http://h/a</url></file><file name=\"b\"><url>http://h/b</url>")
        expectEqual(metalink.files.map(\.path.text), ["b"])
        expectEqual(metalink.problems.map(\.line), [4])
        expectEqual(metalink.problems.first?.message.hasPrefix(words), true, "\(metalink.problems)")
        expect(metalink.problems.map(\.severity).contains(.error))
    }

    @Test(
        arguments: [
            ("<url></url>", "a.iso has no URL that winch can fetch"),
            ("<url>magnet:?xt=1</url>", "a.iso has no URL that winch can fetch"),
            ("<metaurl>http://h/t.torrent</metaurl>", "a.iso has no URL that winch can fetch"),
            (
                "<url>http://h/a</url></file><file name=\"a.iso\"><url>http://h/b</url>",
                "another file has the name a.iso, in line 2"
            ),
        ])
    func `leaves out a file without a usable URL or with the name of another`(inner: String, words: String) {
        let errors = Self.version4(inner).problems.filter { $0.severity == .error }
        expectEqual(errors.map(\.message), [words])
    }

    @Test(
        arguments: [
            (
                "<size>2001</size><pieces length=\"1000\" type=\"sha-1\"><hash>\(sha1)</hash></pieces>",
                "not as long as the file"
            ),
            ("<pieces length=\"0\" type=\"sha-1\"><hash>\(sha1)</hash></pieces>", "no piece length: 0"),
            ("<pieces length=\"1\" type=\"sha-1\"><hash>\(md5)</hash></pieces>", "no sha-1 hash"),
            ("<pieces length=\"1\" type=\"sha-1\"><hash piece=\"1\">\(sha1)</hash></pieces>", "not in order"),
            ("<url>http://</url>", "a mirror is ignored"), ("<url>http://h:0/</url>", "a mirror is ignored"),
        ])
    func `warns of pieces and mirrors that cannot be used and keeps the file`(inner: String, words: String) {
        let metalink = Self.version4("\(inner)<url>http://h/a</url>")
        expectEqual(metalink.files.count, 1)
        expectNil(metalink.files.first?.pieces)
        expectEqual(metalink.problems.map(\.severity), [.warning])
        expectEqual(metalink.problems.first?.message.contains(words), true, "\(metalink.problems)")
    }

    @Test(
        arguments: [
            ("<hash type=\"sha3-256\">12</hash>", "sha3-256"),
            ("<pieces length=\"1\" type=\"tiger\"><hash>12</hash></pieces>", "tiger"),
        ])
    func `warns of a file that has only hashes of unknown types`(inner: String, type: String) {
        let metalink = Self.version4("\(inner)<url>http://h/a</url>")
        expectEqual(metalink.files.count, 1)
        let message = "a.iso is not verified: unknown checksum type: \(type)"
        expectEqual(metalink.problems, [BatchProblem(line: 2, severity: .warning, message: message)])
    }

    @Test func `without a name for its space is read as well`() {
        let text =
            "<metalink version=\"3.0\"><files><file name=\"a\"><resources><url>http://h/a</url></resources></file></files></metalink>"
        expectEqual(Metalink(Array(text.utf8)).files.count, 1)
    }

    @Test func `becomes the entries of a batch`() throws {
        let metalink = Self.version4(
            "<size>1</size><hash type=\"md5\">\(Self.md5)</hash><pieces length=\"1\" type=\"sha-1\"><hash>\(Self.sha1)</hash></pieces><url>http://h/a</url><url>http://m/a</url>"
        )
        let batch = metalink.batch(folder: "d", settings: Shared(TransferSettings()))
        let spec = try require(batch.specs.first)
        expectEqual(batch.lines, [2])
        expectEqual(spec.urls.map(\.text), ["http://h/a", "http://m/a"])
        expect((spec.folder, spec.name?.text) == ("d", "a.iso"))
        expectEqual(spec.listedChecksum, Checksum("md5=\(Self.md5)"))
        expectEqual(spec.pieces?.count, 1)
        expectEqual(spec.listedSize, ByteCount(bytes: 1))
    }

    @Test(arguments: [
        ("a.meta4", true), ("A.METALINK", true), ("a.meta4.gz", true), ("meta4", false), ("a.xml", false),
    ])
    func `is known by its name`(name: String, isMetalink: Bool) { expectEqual(Metalink.isName(name), isMetalink) }

    @Test(
        arguments: [
            ("<?xml version='1.0'?>", true), ("\u{FEFF}\n  <metalink ", true), ("<rss>", false), ("http://h/a", false),
            ("", false),
            ("\n\n", false),
        ])
    func `is known by how it begins`(text: String, isMetalink: Bool) {
        expectEqual(Metalink.begins(Array(text.utf8)), isMetalink)
    }
}

@Suite struct `A Metalink in the place of a batch` {
    private static let parser = BatchParser(folder: "d", settings: TransferSettings())

    private static func text(_ count: Int) -> [UInt8] {
        let files = (0..<count).map { "\n<file name=\"\($0)\"><url>http://h/\($0)</url></file>" }.joined()
        return Array("<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\(files)</metalink>".utf8)
    }

    @Test func `is handed out in pieces, each entry once`() {
        var reader = BatchReader(Self.text(5), parser: Self.parser)
        expectEqual(reader.next(atMost: 2).specs.map(\.name?.text), ["0", "1"])
        expect(!reader.isAtEnd)
        let rest = reader.next(atMost: 3)
        expectEqual(rest.specs.map(\.name?.text), ["2", "3", "4"])
        expectEqual(rest.lines, [4, 5, 6])
        expect(reader.isAtEnd)
        expect(reader.next(atMost: .max).specs.isEmpty)
    }

    @Test func `is recognised by its content, or read as one because of its name`() {
        expectEqual(Self.parser.parse(Self.text(2)).specs.count, 2)
        let batch = Self.parser.parse(Array("http://h/a\n".utf8), isMetalink: true)
        expect(batch.specs.isEmpty)
        expectEqual(batch.problems.map(\.line), [1])
        expectEqual(Self.parser.parse(Array("http://h/a\n".utf8)).specs.count, 1)
    }

    @Test func `keeps the problems of its files`() {
        let text = "<metalink>\n<file name=\"../a\"><url>http://h/a</url></file></metalink>"
        let batch = Self.parser.parse(Array(text.utf8))
        expect(batch.problems.map(\.severity).contains(.error))
        expectEqual(batch.problems.map(\.line), [2])
    }
}

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

    @Test(arguments: [("<file name='", "'>"), ("<!--", "-->"), ("<file ", "='b'>")])
    func `has an endless tag or comment`(start: String, end: String) {
        let text = Self.start + start + String(repeating: "a", count: 1 << 20) + end + "</metalink>"
        expectEqual(refusal(text)?.message, "a tag or comment is longer than 65536 bytes")
    }
}
