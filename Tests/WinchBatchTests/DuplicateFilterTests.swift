import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel

@Suite struct `A duplicate entry` {
    private static func spec(_ url: String, folder: String = ".", out: String? = nil) throws -> TransferSpec {
        TransferSpec(urls: [try TransferURL(url)], folder: folder, name: try out.map { try TargetPath($0) })
    }

    /// The entries that are not duplicates.
    private static func kept(_ specs: [TransferSpec]) -> [TransferSpec] {
        var filter = DuplicateFilter()
        return specs.filter { filter.judge($0) == .new }
    }

    @Test(arguments: [
        "http://h/a", "HTTP://h/a", "http://H/a", "http://h:80/a", "http://h/./a", "http://h/x/../a", "http://h/a#part",
    ])
    func `is dropped, however its URL is written`(url: String) throws {
        let kept = Self.kept([try Self.spec("http://h/a"), try Self.spec(url), try Self.spec("http://h/b")])
        expectEqual(kept.map { $0.urls[0].text }, ["http://h/a", "http://h/b"])
    }

    @Test func `must have the same URL, name and folder`() throws {
        let specs = [
            try Self.spec("http://h/a"), try Self.spec("https://h/a"), try Self.spec("http://h/A"),
            try Self.spec("http://h/a", out: "x"), try Self.spec("http://h/a", folder: "d"),
            try Self.spec("http://h/a?b"),
            try Self.spec("http://me@h/a"),
        ]
        expectEqual(Self.kept(specs), specs)
    }

    /// URL, user and header line of entries, and whether the filter takes them for new ones.
    private static let accounts: [(String, String?, String?, Bool)] = [
        ("http://ann:x@h/a", nil, nil, true), ("http://ann:y@h/a", nil, nil, false), ("http://h/a", "ann", nil, false),
        ("http://ben:x@h/a", nil, nil, true), ("http://h/a", "ben", nil, false), ("http://h/a", "carl", nil, true),
        ("http://h/a", nil, "X-Bucket: 1", true), ("http://h/a", nil, "X-Bucket: 2", true),
        ("http://h/a", nil, "X-Bucket: 1", false), ("http://h/a", nil, nil, true), ("http://h/a", nil, nil, false),
    ]

    @Test func `is for the same user, with the same header lines`() throws {
        var filter = DuplicateFilter()
        for (url, user, header, isNew) in Self.accounts {
            var settings = TransferSettings()
            settings.user = user
            if let header { settings.headers = [header] }
            let spec = TransferSpec(urls: [try TransferURL(url)], settings: Shared(settings))
            expect(filter.judge(spec) == (isNew ? .new : .duplicate), "\(url) \(user ?? "") \(header ?? "")")
        }
    }

    /// One character with an accent, and a letter with a combining one: two files, but equal texts for Swift.
    @Test func `has the bytes of the first one in its names`() throws {
        func upload(_ content: UploadOrder.Content) throws -> TransferSpec {
            TransferSpec(upload: UploadOrder(content, method: .post), to: try TransferURL("http://h/in"))
        }
        let specs = try ["\u{E9}", "e\u{301}"].flatMap { name in
            [
                try Self.spec("http://h/a", out: name), try Self.spec("http://h/a", folder: name),
                try Self.spec("http://h/\(name)"), try upload(.file(name)),
                try upload(.form([FormField(name: "f", value: .file(path: name))])),
                try upload(.form([FormField(name: "f", value: .text(name))])),
            ]
        }
        let kept = Self.kept(specs + specs)
        expectEqual(kept.count, 12)
        expectEqual(kept.count { $0.upload == nil }, 6)
    }

    @Test func `is recognised by the first of its mirrors`() throws {
        let mirrors = TransferSpec(urls: [try TransferURL("http://h/a"), try TransferURL("http://m/a")])
        expectEqual(Self.kept([mirrors, try Self.spec("http://h/a"), mirrors]).count, 1)
        expectEqual(Self.kept([try Self.spec("http://m/a"), mirrors]).count, 2)
    }

    /// What is sent by the second entry, how, and whether it would replace what the first one sends.
    @Test(
        arguments: [
            ("http://h/in/x", UploadOrder(.file("b/x")), true), ("http://H:80/in/x", UploadOrder(.standardInput), true),
            ("http://h/in/%78", UploadOrder(.file("b/x")), true),
            ("http://h/in/x?v=2", UploadOrder(.file("b/x")), false),
            ("http://h/in/x", UploadOrder(.file("b/x"), method: .post), false),
        ] as [(String, UploadOrder, Bool)])
    func `is no upload of another file to the same URL, which is refused`(
        url: String, order: UploadOrder, isClash: Bool
    ) throws {
        var filter = DuplicateFilter()
        let first = TransferSpec(upload: UploadOrder(.file("a/x")), to: try TransferURL("http://h/in/x"))
        expect(filter.judge(first) == .new && filter.judge(first) == .duplicate)
        let verdict = filter.judge(TransferSpec(upload: order, to: try TransferURL(url)))
        let words = "\(order.sourceWords) and a/x both go to \(url); give each a URL of its own"
        expect(verdict == (isClash ? .clash(words) : .new))
    }

    @Test(arguments: [
        ("ftp://h/r", "ftp://anonymous@h/r", true), ("ftp://ann:x@h/r", "ftp://ann:y@h/r;type=i", true),
        ("ftp://ann@h/r", "ftp://ben@h/r", false), ("sftp://ann@h/r", "sftp://h/r", false),
        ("http://ann@h/r", "http://h/r", true), ("http://h/x,y", "http://h./x%2Cy", true),
    ])
    func `is no upload to the file of another user, which by FTP and SFTP is another one`(
        one: String, other: String, isClash: Bool
    ) throws {
        var filter = DuplicateFilter()
        let (first, second) = (UploadOrder(.file("a")), UploadOrder(.file("b")))
        expect(filter.judge(TransferSpec(upload: first, to: try TransferURL(one))) == .new)
        expect((filter.judge(TransferSpec(upload: second, to: try TransferURL(other))) == .new) != isClash)
    }

    @Test func `with a checksum that the first does not demand is refused, since nothing would verify it`() throws {
        func spec(_ digit: Character?) throws -> TransferSpec {
            var settings = TransferSettings()
            settings.checksum = digit.flatMap { Checksum(String(repeating: $0, count: 32)) }
            return TransferSpec(urls: [try TransferURL("http://h/a")], folder: ".", settings: Shared(settings))
        }
        var filter = DuplicateFilter()
        let clash = DuplicateFilter.Verdict.clash("an earlier entry for the same file does not have this checksum")
        let (plain, one, two) = (try spec(nil), try spec("1"), try spec("2"))
        let verdicts = [one, plain, one, two].map { filter.judge($0) }
        expectEqual(verdicts, [.new, .duplicate, .duplicate, clash])
        filter = DuplicateFilter()
        let later = [plain, one].map { filter.judge($0) }
        expectEqual(later, [.new, clash])
    }

    @Test func `sends standard input to one URL only`() throws {
        var filter = DuplicateFilter()
        func verdict(_ content: UploadOrder.Content, _ url: String) throws -> DuplicateFilter.Verdict {
            filter.judge(TransferSpec(upload: UploadOrder(content, method: .post), to: try TransferURL(url)))
        }
        try expectEqual(verdict(.standardInput, "http://h/a"), .new)
        try expectEqual(verdict(.standardInput, "http://h/a"), .duplicate)
        let words = "standard input can be read once, and goes to http://h/a; send it to one URL"
        try expectEqual(verdict(.standardInput, "http://h/b"), .clash(words))
        try expectEqual(verdict(.file("x"), "http://h/b"), .new)
    }

    /// A hundred thousand entries in well under a second on any machine: no pass over the list for each of them.
    @Test func `is found in constant time`() throws {
        let specs = try (0..<100_000).map { try Self.spec("http://h/\($0 % 50_000)") }
        expectEqual(Self.kept(specs).count, 50_000)
    }
}
