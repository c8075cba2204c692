import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel

@Suite struct `A batch of entries` {
    private static func parse(_ text: String, folder: String = "down") -> BatchParser.Batch {
        BatchParser(folder: folder, settings: TransferSettings()).parse(Array(text.utf8))
    }

    @Test(arguments: [
        ("", 0), ("\n\n\n", 0), ("# only\n#\n", 0),
        ("http://a/1", 1), ("http://a/1\n", 1), ("http://a/1\r\nhttp://a/2\r\n", 2),
        ("\u{FEFF}http://a/1\n", 1), ("http://a/1\n\n\nhttp://a/2", 2),
        ("http://a/1\n# between\n  out=x\nhttp://a/2", 2),
        ("http://a/1\thttp://b/1\n", 1), ("http://a/1\t\t \thttp://b/1\t\n", 1),
        (" \n\t\nhttp://a/1\n   \n", 1), ("http://a/1  \n", 1), ("\r\nhttp://a/1\r\n", 1),
    ])
    func `has an entry for each line without leading whitespace`(text: String, count: Int) {
        let batch = Self.parse(text)
        expectEqual(batch.specs.count, count)
        expectEqual(batch.problems, [])
    }

    @Test func `reads mirrors on one line and options below it`() throws {
        let batch = Self.parse(
            "http://a/x\thttp://b/x\n out=sub/y\n\tdir = else \n\n  header=A: b\n header=C: d=e\nhttp://c/z\n")
        let first = try require(batch.specs.first)
        expectEqual(first.urls.map(\.text), ["http://a/x", "http://b/x"])
        expectEqual(first.name?.text, "sub/y")
        expectEqual(first.folder, "else")
        expectEqual(first.settings.value.headers, ["A: b", "C: d=e"])
        let second = try require(batch.specs.last)
        expectEqual(second.folder, "down")
        expectEqual(second.settings.value, TransferSettings())
        expectEqual(batch.problems, [])
    }

    @Test func `shares the default settings among entries without options`() {
        let batch = Self.parse("http://a/1\n out=x\nhttp://a/2\n pause=true\nhttp://a/3\n referer=r\n")
        expect(batch.specs[0].settings === batch.specs[1].settings)
        expect(batch.specs[0].settings !== batch.specs[2].settings)
        expectEqual(batch.specs.map(\.startsPaused), [false, true, false])
    }

    @Test(arguments: [
        ("gopher://a/1", "1 error"), ("a/1", "1 error"), ("http://", "1 error"), ("http://a:99999/", "1 error"),
        (" out=x\nhttp://a/1", "1 error"), ("\n\n bad", "3 error"), ("http://a/1\n out", "2 error"),
        ("http://a/1\n out=../x", "2 error"), ("http://a/1\n out=/x", "2 error"), ("http://a/1\n out=", "2 error"),
        ("http://a/1\n checksum=md5=12", "2 error"), ("http://a/1\n max-tries=-1", "2 error"),
        ("http://a/1\n timeout=0", "2 error"), ("http://a/1\n retry-wait=soon", "2 error"),
        ("http://a/1\n limit-rate=fast", "2 error"), ("http://a/1\n pause=perhaps", "2 error"),
        ("http://a/1\n header=no colon", "2 error"), ("http://a/1\n header=A b: c", "2 error"),
        ("http://a/1\n header=: c", "2 error"), ("http://a/1\n header=range: bytes=0-9", "2 error"),
        ("http://a/1\n header=If-Range: x", "2 error"), ("http://a/1\n header=A: b\rX: c", "2 error"),
        ("http://a/1\n header=A: b\u{0}", "2 error"), ("http://a/1\n dir=", "2 error"),
        ("http://a/1\n split=0", "2 error"), ("http://a/\u{0}", "1 error"), ("http://a b/c", "1 error"),
        ("http://a/b http://a/c", "1 error"), ("www.a.example/b", "1 error"),
        ("http://a/1\n frobnicate=1", "2 warning"), ("http://a/1\n file-allocation=some", "2 error"),
        ("http://a/1\n key=k", "1 error"), ("# c\nftps://a/1\thttp://b/1\n out=x\n key=k", "2 error"),
        ("http://a/1\n =x", "2 error"), ("# c\nhttp://a/1\n\n  unknown = 2\n", "4 warning"),
    ])
    func `reports the line and severity of each problem`(text: String, expected: String) {
        let batch = Self.parse(text)
        expectEqual(batch.problems.map { "\($0.line) \($0.severity.rawValue)" }, [expected])
        expectEqual(batch.problems.map(\.severity).contains(.error), expected.hasSuffix("error"))
    }

    @Test(arguments: ["sftp://a/1\n key=k", "http://a/1\tsftp://b/1\n key=k", "http://a/1\n key=k\n cert=c"])
    func `takes a key for SFTP, or with a certificate`(text: String) {
        let batch = Self.parse(text)
        expectEqual(batch.problems, [])
        expectEqual(batch.specs.map(\.settings.value.keyFile), ["k"])
    }

    @Test func `takes a key for the certificate of the run`() {
        var settings = TransferSettings()
        settings.certificateFile = "c"
        let batch = BatchParser(folder: ".", settings: settings).parse(Array("http://a/1\n key=k".utf8))
        expectEqual(batch.problems, [])
    }

    @Test func `keeps the valid entries when one is invalid`() {
        let batch = Self.parse("http://a/1\n out=..\nnonsense\nhttp://a/2\n odd=1\nhttp://b/x\tftp:/b\nhttp://a/3")
        expectEqual(batch.specs.map(\.urls.first?.text), ["http://a/2", "http://a/3"])
        expectEqual(batch.problems.map(\.line), [2, 3, 5, 6])
    }

    @Test func `does not report the options of an invalid entry`() {
        let batch = Self.parse("nonsense\n out=x\n header=A: b\nhttp://a/1")
        expectEqual(batch.problems.map(\.line), [1])
        expectEqual(batch.specs.count, 1)
    }

    /// What Notepad calls "Unicode", and what PowerShell writes with `>`.
    @Test(arguments: [true, false])
    func `may be UTF-16 with a byte order mark`(isLittle: Bool) {
        let text = "http://a/1\r\n out=\u{E9}\u{1F600}.bin\r\n# end\r\nhttp://a/2"
        let bytes = ("\u{FEFF}" + text).utf16.flatMap { unit in
            isLittle ? [UInt8(unit & 0xFF), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
        let batch = BatchParser(folder: ".", settings: TransferSettings()).parse(bytes)
        expectEqual(batch.problems, [])
        expectEqual(batch.specs.map(\.urls.first?.text), ["http://a/1", "http://a/2"])
        expectEqual(batch.specs.first?.name?.text, "\u{E9}\u{1F600}.bin")
        expectEqual(batch.lines, [1, 4])
    }

    @Test(arguments: [0, 1])
    func `in UTF-16 without a byte order mark is reported in one line`(offset: Int) {
        let bytes = "http://a/1\nhttp://a/2\n".utf8.flatMap { (byte: UInt8) -> [UInt8] in
            offset == 0 ? [0, byte] : [byte, 0]
        }
        let batch = BatchParser(folder: ".", settings: TransferSettings()).parse(bytes)
        expectEqual(batch.problems.map(\.message), ["this is UTF-16 without a byte order mark; save the file as UTF-8"])
        expect(batch.problems.map(\.severity).contains(.error))
    }

    @Test func `written for aria2 causes one warning for each option without effect`() {
        let entries = (1...1000).map {
            "http://a/\($0)\n continue=true\n max-connection-per-server=4\n gid=\($0)\n odd=1\n"
        }
        let batch = Self.parse(entries.joined())
        expectEqual(batch.specs.count, 1000)
        expectEqual(
            batch.problems.map(\.message),
            [
                "continue has no effect: partial downloads are always resumed (1,000 entries)",
                "max-connection-per-server has no effect: it applies to the whole run; use --per-host (1,000 entries)",
                "gid has no effect: it has no meaning here (1,000 entries)", "unknown option: odd (1,000 entries)",
            ])
        expectEqual(batch.problems.map(\.line), [2, 3, 4, 5])
        expect(!batch.problems.map(\.severity).contains(.error))
    }

    @Test(arguments: [
        ("allow-overwrite=true", NameConflict.overwrite), ("allow-overwrite=false", .rename),
        ("auto-file-renaming=false", .fail), ("auto-file-renaming=true", .rename), ("on-conflict=skip", .skip),
    ])
    func `sets the policy for files that exist`(option: String, way: NameConflict) {
        let batch = Self.parse("http://a/1\n \(option)\n")
        expectEqual(batch.problems, [])
        expectEqual(batch.specs.first?.settings.value.onConflict, way)
    }

    @Test(arguments: [
        ("allow-overwrite=false", NameConflict.rename), ("auto-file-renaming=true", .rename),
        ("auto-file-renaming=false", .fail), ("allow-overwrite=true\n auto-file-renaming=false", .overwrite),
        ("auto-file-renaming=false\n allow-overwrite=false", .fail), ("split=2", .overwrite),
    ])
    func `sets the policy for files that exist against that of the run`(options: String, way: NameConflict) {
        var settings = TransferSettings()
        settings.onConflict = .overwrite
        let batch = BatchParser(folder: ".", settings: settings).parse(Array("http://a/1\n \(options)\n".utf8))
        expectEqual(batch.problems, [])
        expectEqual(batch.specs.first?.settings.value.onConflict, way)
    }

    @Test func `may contain bytes that are not UTF-8, in names and in URLs`() {
        var bytes = Array("http://a/1\n out=".utf8) + [0xFF, 0xFE, 0x0A]
        bytes += Array("http://a/2\n".utf8) + [0xC3, 0x28, 0x0A] + Array(" out=x\nhttp://a/".utf8) + [0xFC]
        let batch = BatchParser(folder: ".", settings: TransferSettings()).parse(bytes)
        expectEqual(batch.problems.map(\.line), [4])
        expectEqual(batch.specs.map(\.urls.first?.text), ["http://a/1", "http://a/2", "http://a/%FC"])
        expectEqual(batch.specs.first?.name.map { String($0.text).systemBytes }, [0xFF, 0xFE])
    }

    @Test func `may contain very long lines`() {
        let long = String(repeating: "x", count: 1_000_000)
        let batch = Self.parse("http://a/\(long)\nhttp://a/1\n header=A: \(long)\nhttp://a/2\n #\(long)=\nhttp://a/3")
        expectEqual(batch.problems.map(\.line), [1, 3, 5])
        expect(batch.problems.allSatisfy { $0.message.utf8.count < 200 })
        expectEqual(batch.specs.count, 2)
    }

    @Test(arguments: 0..<4)
    func `may consist of arbitrary bytes`(block: UInt64) {
        let pieces = [
            "http://a/b", "\t", " ", "\n", "\r\n", "out=", "header=", "=", ":", "#", "\u{301}", "/", "..", "é",
        ]
        for seed in block * 500..<(block + 1) * 500 {
            var random = SplitMix64(seed: seed)
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                if let piece = pieces.randomElement(using: &random) { bytes += Array(piece.utf8) }
                if Int.random(in: 0..<8, using: &random) == 0 { bytes.append(.random(in: 0...255, using: &random)) }
            }
            let batch = BatchParser(folder: ".", settings: TransferSettings()).parse(bytes)
            let lines = bytes.count { $0 == 0x0A } + 1
            let isSane =
                batch.problems.allSatisfy { (1...lines).contains($0.line) }
                && batch.specs.allSatisfy { !$0.urls.isEmpty && $0.name.map { Self.staysBelow($0) } ?? true }
            if !isSane {
                Issue.record("seed \(seed)")
                return
            }
        }
    }

    private static func staysBelow(_ path: TargetPath) -> Bool {
        let parts = path.text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && Array($0) != Array("..".utf8) && Array($0) != Array(".".utf8) }
    }
}

@Suite struct `A batch that is read in pieces` {
    private static let text = """
        http://a/1
         out=x
         odd=1
        nonsense
        http://a/2
        # between
        http://a/3
         odd=2
        http://a/4\thttp://b/4
         pause=true
        """

    @Test(arguments: [1, 2, 3, 4, 100])
    func `has the entries, lines and problems of the whole`(size: Int) {
        let parser = BatchParser(folder: ".", settings: TransferSettings())
        var reader = BatchReader(Array(Self.text.utf8), parser: parser)
        var pieces: [BatchParser.Batch] = []
        while !reader.isAtEnd { pieces.append(reader.next(atMost: size)) }
        let whole = parser.parse(Array(Self.text.utf8))
        expectEqual(pieces.flatMap(\.specs), whole.specs)
        expectEqual(pieces.flatMap(\.lines), whole.lines)
        expectEqual(reader.problems, whole.problems)
        expect(reader.problems.map(\.severity).contains(.error))
        expect(pieces.dropLast(2).allSatisfy { $0.specs.count == size })
    }

    @Test func `gives an entry with its options before the rest is read`() {
        var reader = BatchReader(Array(Self.text.utf8), parser: BatchParser(folder: ".", settings: TransferSettings()))
        expectEqual(reader.next(atMost: 1).specs.first?.name?.text, "x")
        expect(!reader.isAtEnd)
        expectEqual(reader.problems.map(\.line), [3, 4])
    }
}

@Suite struct `The problems of a file` {
    @Test func `are listed up to the 100,000th, and one says that there are more`() {
        let bad = String(repeating: "x\n", count: 100_005)
        let text = bad + "http://h/a\n odd=1\nhttp://h/b\n odd=1\n"
        let batch = BatchParser(folder: ".", settings: TransferSettings()).parse(Array(text.utf8))
        expectEqual(batch.specs.count, 2)
        expectEqual(batch.problems.count, 100_001)
        expectEqual(batch.problems.last?.line, 100_001)
        expectEqual(batch.problems.last?.message, "more problems, which are not listed; is it the right file?")
    }

    @Test func `have an error when one that is not listed is an error`() {
        var problems: [BatchProblem] = []
        for line in 1...100_002 { problems.note(BatchProblem(line: line, severity: .warning, message: "w")) }
        expectEqual(problems.last?.severity, .warning)
        problems.note(BatchProblem(line: 100_003, severity: .error, message: "e"))
        expectEqual(problems.last?.severity, .error)
        expectEqual(problems.count, 100_001)
    }
}
