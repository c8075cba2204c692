import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The same batch run again` {
    private static let here = WorkingFolder("/home/me")

    private static func entry(
        _ number: Int64, _ standing: LedgerState, host: String = "a.example", have: Int64? = nil,
        folder: String = "/home/me"
    ) -> LedgerEntry {
        var spec = TransferSpec.sample(hosts: [host])
        spec.folder = folder
        return LedgerEntry(
            key: LedgerKey(number), rank: 1, spec: spec, standing: standing, name: "file",
            resume: have.map { .sample($0, of: 1000) }, size: .exact(ByteCount(1000)),
            addedAt: UnixTime(milliseconds: 1), settledAt: UnixTime(milliseconds: 9))
    }

    private static func spec(host: String = "a.example", folder: String = ".", _ checksum: String? = nil)
        -> TransferSpec
    {
        var settings = TransferSettings()
        settings.checksum = checksum.flatMap { Checksum($0) }
        var spec = TransferSpec.sample(hosts: [host], settings: settings)
        spec.folder = folder
        return spec
    }

    @Test func `is verified by what an earlier run has learned of the file, unless the batch itself says it`() throws {
        let pieces = PieceHashes(length: ByteCount(1000), algorithm: .md5, digests: Array(repeating: 1, count: 16))
        let own = Self.spec("md5=" + String(repeating: "2", count: 32))
        var entry = Self.entry(1, .unfinished, have: 500)
        entry.spec.listedChecksum = Checksum("md5=" + String(repeating: "1", count: 32))
        entry.spec.listedOrigin = .metalink
        (entry.spec.pieces, entry.spec.listedSize) = (pieces, ByteCount(1000))
        let spec = try require(Self.match([Self.spec()], with: [entry]).additions.first).spec
        expectEqual(spec.listedChecksum, entry.spec.listedChecksum)
        expectEqual(spec.listedOrigin, .metalink)
        expectEqual(spec.pieces, pieces)
        expectEqual(spec.listedSize, ByteCount(1000))
        var given = Self.entry(1, .unfinished, have: 500)
        given.spec.settings = own.settings
        expectEqual(Self.match([Self.spec()], with: [given]).additions.map(\.spec), [own])

        expectEqual(Self.match([own], with: [entry]).additions.map(\.spec), [own])
        // The wrong file was not kept: the server may have another one, with another Metalink, by now.
        entry.standing = .failed(.checksum(type: "md5", expected: "a", got: "b"))
        expectEqual(Self.match([Self.spec()], with: [entry]).additions.map(\.spec), [Self.spec()])
    }

    @Test(arguments: [("\u{E9}", true), ("e\u{301}", false)])
    func `goes on in a folder of the same bytes only`(folder: String, isSame: Bool) {
        let entry = Self.entry(1, .unfinished, have: 5, folder: "/home/me/\u{E9}")
        expectEqual(Self.match([Self.spec(folder: folder)], with: [entry]).adopted.count, isSame ? 1 : 0)
    }

    private static func spec(
        user: String?, password: String? = nil, header: String? = nil, cookies: String? = nil
    ) -> TransferSpec {
        var settings = TransferSettings()
        (settings.user, settings.password, settings.cookieFile) = (user, password, cookies)
        if let header { settings.headers = [header] }
        return TransferSpec.sample(hosts: ["a.example"], settings: settings)
    }

    @Test func `is not done by what another account has finished`() {
        let specs = [
            Self.spec(user: "ann", password: "x"), Self.spec(user: "ann", password: "y"), Self.spec(user: "ben"),
            Self.spec(user: nil), Self.spec(user: nil, header: "Authorization: Bearer a"),
            Self.spec(user: nil, header: "Authorization: Bearer b"), Self.spec(user: nil, header: "DNT: 1"),
            Self.spec(user: nil, cookies: "ann.txt"), Self.spec(user: nil, cookies: "ben.txt"),
        ]
        func found(by earlier: TransferSpec) -> [Bool] {
            var entry = Self.entry(1, Self.saved)
            var stored = TransferSettings()
            stored.account = earlier.accountMark
            entry.spec.settings = Shared(stored)
            return specs.map { Self.match([$0], with: [entry], size: 1000).adopted == [entry.key] }
        }
        expectEqual(found(by: specs[0]), [true, true, false, false, false, false, false, false, false])
        expectEqual(found(by: specs[3]), [false, false, false, true, false, false, true, false, false])
        expectEqual(found(by: specs[4]), [false, false, false, false, true, false, false, false, false])
        expectEqual(found(by: specs[7]).suffix(2), [true, false])
    }

    @Test(arguments: NameConflict.allCases)
    func `asks the server for a finished file only where that may be replaced`(way: NameConflict) throws {
        var spec = Self.spec()
        var settings = TransferSettings()
        settings.onConflict = way
        spec.settings = Shared(settings)
        let addition = try require(Self.match([spec], with: [Self.entry(1, Self.saved)], size: 1000).additions.first)
        expectEqual(addition.past?.standing.isOpen, way == .overwrite)
        expectEqual(addition.wasFinished, way == .overwrite)
    }

    /// An unfinished one may have failed for want of a login.
    @Test func `goes on with what the same user has left, or with what had no login`() {
        func entry(_ number: Int64, _ spec: TransferSpec) -> LedgerEntry {
            var entry = Self.entry(number, .unfinished, have: 5 * number)
            entry.spec.settings = spec.settings
            return entry
        }
        let (ann, ben, plain) = (Self.spec(user: "ann"), Self.spec(user: "ben"), Self.spec(user: nil))
        let token = { (text: String) in Self.spec(user: nil, header: "Authorization: Bearer \(text)") }
        let cases: [([LedgerEntry], [TransferSpec], [String])] = [
            ([entry(1, ann), entry(2, ben)], [ann, ben], ["1 unfinished", "2 unfinished"]),
            ([entry(1, ann)], [ben], ["new"]), ([entry(1, plain)], [ann], ["1 unfinished"]),
            ([entry(1, token("a"))], [token("b")], ["1 unfinished"]),
        ]
        for (entries, specs, words) in cases {
            expectEqual(Self.match(specs, with: entries).additions.map(Self.words), words)
        }
    }

    /// A batch that is matched at once or in pieces.
    private struct Match {
        var additions: [Addition] = []
        var adopted: [LedgerKey] = []
        var otherUnfinished = 0
    }

    /// - Parameter lost: entries that another process takes first.
    private static func match(
        _ pieces: [TransferSpec]..., with entries: [LedgerEntry], size: Int64? = nil, modified: Int64 = 0,
        held: [Continuation.Request: Int32] = [:], lost: [LedgerKey] = []
    ) -> Match {
        var continuation = Continuation(from: entries, held: held, in: here) { path in
            guard path == "/home/me/file", let size else { return nil }
            return FileIdentity(device: 1, node: 2, length: size, modified: modified)
        }
        var match = Match()
        for specs in pieces {
            match.additions += continuation.additions(for: specs) { keys in
                let ours = keys.filter { !lost.contains($0) }
                match.adopted += ours
                return ours
            }
        }
        match.otherUnfinished = continuation.otherUnfinished
        return match
    }

    /// A session that is started with the same list again reopens only what the list does not name.
    @Test func `knows which entries of earlier runs the batch names`() {
        let other = Self.entry(3, .paused, host: "b.example")
        let entries = [Self.entry(1, .unfinished), Self.entry(2, Self.saved), other]
        // Its file is gone: it is fetched anew, and the old entry is no second row.
        var continuation = Continuation(from: entries, held: [:], in: Self.here, finishedFile: { _ in nil })
        _ = continuation.additions(for: [Self.spec()]) { $0 }
        expect(continuation.names(entries[1]))
        expect(!continuation.names(entries[2]))
        var next = Continuation(from: [entries[0]], held: [:], in: Self.here, finishedFile: { _ in nil })
        _ = next.additions(for: [Self.spec()]) { $0 }
        expect(next.names(entries[0]))
    }

    /// Runs at the same time have left them.
    @Test func `goes on with one of several entries for the same file`() throws {
        var summed = Self.entry(8, .unfinished)
        summed.spec.listedChecksum = try require(Checksum("md5=" + String(repeating: "1", count: 32)))
        let entries = [
            Self.entry(1, .unfinished, have: 5), Self.entry(2, .paused, have: 9),
            Self.entry(3, .failed(.httpStatus(404)), have: 20), Self.entry(4, .unfinished, have: 9),
            Self.entry(5, Self.saved), Self.entry(6, .unfinished, host: "b.example"),
            Self.entry(7, .unfinished, have: 9, folder: "/elsewhere"), summed,
        ]
        expectEqual(entries.repeated.map(\.number).sorted(), [1, 2, 3])
    }

    /// Whether the finished file is still the listed one has been judged before.
    @Test func `fetches a file of a folder anew, with the bytes of a run that has begun with that`() throws {
        let entries = [Self.entry(1, .unfinished, have: 4), Self.entry(2, Self.saved), Self.entry(3, Self.saved)]
        var continuation = Continuation(from: entries, held: [:], in: Self.here) { _ in
            FileIdentity(device: 1, node: 2, length: 1000, modified: 0)
        }
        var spec = Self.spec()
        spec.namedParts = 1
        expectEqual(continuation.finished(spec)?.key, LedgerKey(3))
        expect(continuation.names(entries[2]))
        expectEqual(continuation.additions(for: [spec]) { $0 }.map(Self.words), ["1 unfinished"])
    }

    @Test func `leaves out what is in the list by itself`() {
        let entries = [Self.entry(1, .unfinished, have: 4), Self.entry(2, .unfinished, have: 9)]
        var continuation = Continuation(from: entries, held: [:], in: Self.here, finishedFile: { _ in nil })
        continuation.leaveOut([LedgerKey(2)])
        expectEqual(continuation.additions(for: [Self.spec()]) { $0 }.map(Self.words), ["1 unfinished"])
        expectEqual(continuation.additions(for: [Self.spec()]) { $0 }.map(Self.words), ["new"])
    }

    /// Another process had it when this run began, or has taken it since, and may have ended by now.
    @Test func `refuses nothing that is named when it is over`() throws {
        let request = try require(Continuation.Request(Self.spec(host: "b.example"), in: Self.here))
        let entries = [Self.entry(1, .unfinished, have: 4)]
        var continuation = Continuation(from: entries, held: [request: 7], in: Self.here, finishedFile: { _ in nil })
        continuation.endBatch()
        let additions = continuation.additions(for: [Self.spec(), Self.spec(host: "b.example")]) { _ in [] }
        expectEqual(additions.map(Self.words), ["new", "new"])
        continuation.endBatch()
        expect(continuation.isEmpty)
    }

    private static func words(_ addition: Addition) -> String {
        let standing = addition.past.map { "\($0.key.number) \($0.standing.word)" } ?? "new"
        return addition.refusal == nil ? standing : "refused"
    }

    private static let saved = LedgerState.finished(.saved(path: "file"))

    /// What is known, the size of the file on disk, and the resulting entry.
    @Test(
        arguments: [
            ([], nil, "new"), ([entry(1, .unfinished, have: 400)], nil, "1 unfinished"),
            ([entry(1, .paused)], nil, "1 unfinished"), ([entry(1, .failed(.httpStatus(404)))], nil, "1 unfinished"),
            ([entry(1, .cancelled)], nil, "1 unfinished"), ([entry(1, saved)], 1000, "1 finished"),
            ([entry(1, saved)], 999, "new"), ([entry(1, saved)], nil, "new"),
            ([entry(1, .finished(.skipped(path: "file")))], 1000, "new"),
            // The one of several that has the most bytes.
            ([entry(1, .unfinished), entry(2, saved), entry(3, .failed(.httpStatus(404)))], 1000, "2 finished"),
            ([entry(1, .unfinished, have: 9), entry(2, .unfinished, have: 4)], nil, "1 unfinished"),
            ([entry(1, .unfinished), entry(2, .unfinished)], nil, "2 unfinished"),
            // Not the same transfer.
            ([entry(1, .unfinished, host: "b.example")], nil, "new"),
            ([entry(1, .unfinished, folder: "/elsewhere")], nil, "new"),
            ([entry(1, .unfinished, folder: "/home/me/")], nil, "1 unfinished"),
            // As an earlier version wrote it.
            ([entry(1, .unfinished, folder: "/home//me/./")], nil, "1 unfinished"),
        ] as [([LedgerEntry], Int64?, String)])
    func `resumes each entry where it was`(entries: [LedgerEntry], size: Int64?, expected: String) throws {
        let continuation = Self.match([Self.spec()], with: entries, size: size)
        let addition = try require(continuation.additions.first)
        expectEqual(Self.words(addition), expected)
        expectEqual(continuation.adopted, [addition.past?.key].compactMap(\.self))
    }

    /// As a Metalink or `out=` names it: the part of both has one name.
    @Test(
        arguments: [
            ("file", 400, "1 unfinished"), ("file", nil, "new"), ("other", 400, "new"),
        ] as [(String, Int64?, String)])
    func `goes on with the part of an entry whose given name is that of the URL`(
        name: String, have: Int64?, expected: String
    ) throws {
        var entry = Self.entry(1, .unfinished, have: have)
        entry.spec.name = try TargetPath(name)
        entry.spec.listedChecksum = Checksum("md5=" + String(repeating: "1", count: 32))
        let match = Self.match([Self.spec(), Self.spec()], with: [entry])
        expectEqual(match.additions.map(Self.words), [expected, "new"])
        let isTaken = expected != "new"
        expect(match.additions.first?.spec.name == (isTaken ? entry.spec.name : nil))
        expect(match.additions.first?.spec.listedChecksum == (isTaken ? entry.spec.listedChecksum : nil))
        expect(match.otherUnfinished == (isTaken ? 0 : 1))
    }

    @Test(
        arguments: [
            ("file?sig=1", .strongETag("\"v\""), true), ("file?sig=1", nil, false),
            ("other?sig=1", .strongETag("\"v\""), false),
        ] as [(String, Validator?, Bool)])
    func `knows the part of the same URL with another query, which the server may prove to be that of the file`(
        name: String, validator: Validator?, isKnown: Bool
    ) throws {
        var entry = Self.entry(1, .unfinished, have: 400)
        entry.spec = TransferSpec(urls: [try TransferURL("http://a.example/\(name)")], folder: "/home/me")
        entry.resume?.validator = validator
        let match = Self.match([Self.spec(), Self.spec()], with: [entry])
        expectEqual(match.additions.map(Self.words), ["new", "new"])
        expectEqual(match.additions.map { $0.otherQuery?.key }, [isKnown ? LedgerKey(1) : nil, nil])
        expectEqual(match.adopted, [])
        expectEqual(match.otherUnfinished, isKnown ? 0 : 1)
    }

    /// In nanoseconds; the entry has ended at 9 ms.
    @Test(arguments: [(9_999_999, "1 finished"), (10_000_000, "new")] as [(Int64, String)])
    func `fetches a file anew that was written to since it was finished`(modified: Int64, expected: String) throws {
        let match = Self.match([Self.spec()], with: [Self.entry(1, Self.saved)], size: 1000, modified: modified)
        expectEqual(match.additions.map(Self.words), [expected])
    }

    @Test func `keeps the part and uses the new options`() throws {
        let wanted = Self.spec("md5=" + String(repeating: "0", count: 32))
        let continuation = Self.match([wanted], with: [Self.entry(1, .unfinished, have: 400)])
        let addition = try require(continuation.additions.first)
        expectEqual(addition.resume?.have, ByteCount(400))
        expectEqual(addition.spec, wanted)
        expect(addition.isPastChanged)
    }

    @Test func `checks the digest, where there is one, of a file that exists`() throws {
        let wanted = Self.spec("md5=" + String(repeating: "0", count: 32))
        var (inPieces, longer) = (Self.spec(), Self.spec())
        inPieces.pieces = PieceHashes(length: ByteCount(1000), algorithm: .md5, digests: Array(repeating: 1, count: 16))
        longer.listedSize = ByteCount(1001)
        for (spec, words) in [(wanted, "1 unfinished"), (inPieces, "1 unfinished"), (longer, "new")] {
            let match = Self.match([spec], with: [Self.entry(1, Self.saved)], size: 1000)
            expectEqual(match.additions.map(Self.words), [words])
            expectEqual(match.additions.map(\.wasFinished), [words != "new"])
        }
    }

    @Test func `adds each transfer once, in the batch's order`() {
        let entries = [Self.entry(1, .unfinished), Self.entry(2, .unfinished, host: "b.example")]
        let continuation = Self.match([Self.spec(host: "b.example"), Self.spec(), Self.spec()], with: entries)
        expectEqual(continuation.additions.map(Self.words), ["2 unfinished", "1 unfinished", "new"])
        let pieces = Self.match([Self.spec(host: "b.example"), Self.spec()], [Self.spec()], with: entries)
        expectEqual(pieces.additions.map(Self.words), ["2 unfinished", "1 unfinished", "new"])
    }

    @Test func `does not change entries that it does not contain, and counts the unfinished ones`() {
        let entries = [
            Self.entry(1, .unfinished), Self.entry(2, .paused, host: "b.example"),
            Self.entry(3, .unfinished, host: "c.example"), Self.entry(4, Self.saved, host: "d.example"),
            Self.entry(5, .failed(.httpStatus(404)), host: "e.example"),
        ]
        let continuation = Self.match([Self.spec()], with: entries)
        expectEqual(continuation.otherUnfinished, 2)
        expectEqual(continuation.adopted, [LedgerKey(1)])
    }

    @Test func `does not change what another process is downloading, and names that process`() throws {
        let url = try TransferURL("http://a.example/file")
        let request = Continuation.Request(TransferSpec(urls: [url], folder: "/home/me"), in: Self.here)
        let held = [try require(request): Int32(1234)]
        let continuation = Self.match([Self.spec(), Self.spec(folder: "other")], with: [], held: held)
        expectEqual(continuation.additions.map(Self.words), ["refused", "new"])
        expectEqual(
            continuation.additions.first?.refusal?.message, "another winch is at work on file (process 1234)")
    }

    private static let version = FileIdentity(device: 1, node: 2, length: 3, modified: 4)

    private static func upload(
        _ file: String, _ method: UploadOrder.Method = .put, to url: String = "http://h/f"
    ) throws -> TransferSpec {
        TransferSpec(upload: UploadOrder(.file(file), method: method), to: try TransferURL(url))
    }

    /// An entry of an upload that has ended at so many milliseconds.
    private static func sent(
        _ number: Int64, _ file: String, _ method: UploadOrder.Method = .put,
        _ standing: LedgerState = .finished(.sent(path: "f")), at end: Int64?, source: FileIdentity = Self.version
    ) throws -> LedgerEntry {
        var entry = Self.entry(number, standing)
        entry.spec = try upload("/home/me/" + file, method)
        entry.startedAt = UnixTime(milliseconds: 1)
        entry.settledAt = end.map { UnixTime(milliseconds: $0) }
        entry.resume = ResumePoint(
            upload: UploadPlace(name: "", source: source), have: ByteCount(3), total: ByteCount(3), name: "f")
        return entry
    }

    /// - Parameter found: the version of the file that is there now.
    private static func match(
        _ spec: TransferSpec, sent entries: LedgerEntry..., found: FileIdentity? = Self.version,
        held: [Continuation.Request: Int32] = [:]
    ) -> String? {
        var continuation = Continuation(
            from: entries, held: held, in: here, finishedFile: { _ in nil },
            versionOfFile: { $0 == "/home/me/f" ? found : nil })
        return continuation.additions(for: [spec]) { $0 }.first.map(words)
    }

    @Test func `does not send a file again that is at the server, unless it is another version now`() throws {
        var (version, other) = (Self.version, Self.version)
        version.changed = 1
        other.modified += 1
        // Its old size and time were restored after it was written to.
        var rewritten = version
        rewritten.changed = 2
        let entry = try Self.sent(1, "f", at: 9, source: version)
        // An earlier version of Winch has stored the source without the time of the last change.
        let found: [FileIdentity?] = [version, Self.version, other, rewritten, nil]
        let spec = try Self.upload("f")
        let words = found.map { Self.match(spec, sent: entry, found: $0) }
        expectEqual(words, ["1 finished", "1 finished", "new", "new", "new"])
        try expectEqual(Self.match(Self.upload("g"), sent: entry), "new")
    }

    @Test func `sends a file again when another one has been sent to its URL since`() throws {
        func again(after other: LedgerEntry) throws -> String? {
            Self.match(try Self.upload("f"), sent: try Self.sent(5, "f", at: 50), other)
        }
        try expectEqual(again(after: Self.sent(6, "g", at: 60)), "new")
        // An entry that was tried again has its old key.
        try expectEqual(again(after: Self.sent(4, "g", at: 60)), "new")
        try expectEqual(again(after: Self.sent(6, "g", .put, .failed(.stalled(seconds: 1)), at: 60)), "new")
        try expectEqual(again(after: Self.sent(6, "g", .put, .unfinished, at: nil)), "new")
        try expectEqual(again(after: Self.sent(4, "g", at: 40)), "5 finished")
    }

    @Test func `sends a file again after one that was sent to its URL in another spelling`() throws {
        var (own, other) = (try Self.sent(5, "f", at: 50), try Self.sent(6, "g", .put, .unfinished, at: nil))
        own.spec.urls = MirrorList([try TransferURL("http://h/x,y")])
        other.spec.urls = MirrorList([try TransferURL("http://me:x@h./x%2Cy")])
        try expectEqual(Self.match(Self.upload("f", to: "http://h/x,y"), sent: own), "5 finished")
        try expectEqual(Self.match(Self.upload("f", to: "http://h/x,y"), sent: own, other), "new")
    }

    @Test func `puts a file that was posted to the URL, or after which another one was posted there`() throws {
        let (put, post) = (try Self.sent(5, "f", .put, at: 5), try Self.sent(5, "f", .post, at: 5))
        let other = try Self.sent(6, "g", .post, at: 6)
        expectEqual(Self.match(try Self.upload("f", .put), sent: put), "5 finished")
        expectEqual(Self.match(try Self.upload("f", .put), sent: post), "new")
        expectEqual(Self.match(try Self.upload("f", .post), sent: put), "new")
        expectEqual(Self.match(try Self.upload("f", .put), sent: put, other), "new")
        expectEqual(Self.match(try Self.upload("f", .post), sent: post, other), "5 finished")
    }

    /// What another process sends, where this one sends `f`, and what becomes of that. By FTP and SFTP each user may have other
    /// folders, while a URL of HTTP names one file for all of them.
    @Test(
        arguments: [
            ("f", "sftp://h/f", "sftp://h/f", .put, "refused"), ("f", "sftp://ann@h/f", "sftp://ben@h/f", .put, "new"),
            ("f", "ftp://ann@h/f", "ftp://h/f", .put, "new"), ("g", "ftp://ann@h/f", "ftp://ben@h/f", .put, "new"),
            ("g", "ftp://ann:x@h/f", "ftp://ann:y@h/f", .put, "refused"),
            ("f", "http://ann@h/f", "http://ben@h/f", .put, "refused"),
            ("g", "http://h/f", "http://h/f", .put, "refused"),
            ("g", "http://h/f", "HTTP://H:80/./%66", .put, "refused"), ("g", "http://h/f", "http://h/g", .put, "new"),
            ("g", "http://h/f", "http://h/f", .post, "new"),
        ] as [(String, String, String, UploadOrder.Method, String)])
    func `leaves a file at a server to the process that replaces it`(
        file: String, theirs: String, ours: String, method: UploadOrder.Method, words: String
    ) throws {
        let other = try Self.upload("/home/me/" + file, to: theirs)
        let held = [try require(Continuation.Request.held(by: other, in: Self.here)): Int32(7)]
        expectEqual(Self.match(try Self.upload("f", method, to: ours), held: held), words)
        let download = TransferSpec(urls: [try TransferURL(ours)])
        expectEqual(Self.match(download, held: held), "new")
    }

    @Test func `does not change what another process adopted first`() {
        let entries = [Self.entry(1, .unfinished), Self.entry(2, .unfinished, host: "b.example")]
        let continuation = Self.match(
            [Self.spec(), Self.spec(host: "b.example")], with: entries, lost: [LedgerKey(1)])
        expectEqual(continuation.additions.map(Self.words), ["refused", "2 unfinished"])
        expectEqual(continuation.adopted, [LedgerKey(2)])
    }

    @Test func `fails a refused entry at once, without a ledger row, and allows a retry`() {
        var run = QueueRun()
        run.queue.keepLedger(from: LedgerKey(1), calendar: .sample)
        run.apply(.added([Addition(spec: .sample(), refusal: .inUse("file", pid: 7))]))
        expectEqual(run.phase(1), .failed(.inUse("file", pid: 7)))
        expect(run.events.contains { $0.kind == .failed(.inUse("file", pid: 7)) })
        expect(run.changes(isLast: true).isEmpty)
        run.command(.retry([TransferID(1)]))
        expectEqual(run.started, [1])
        expectEqual(run.changes().puts.map(\.key), [LedgerKey(1)])
    }
}
