import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

/// The dialogue is a value: answers go in, steps come out.
@Suite struct `The dialogue with a file server` {
    private static let source = FileIdentity(device: 1, node: 2, length: 200_000, modified: 3)
    private static let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }

    /// - Parameter have: bytes that an earlier attempt has left; `nil`: there was none.
    private func dialogue(
        _ url: String = "ftp://h/dir/x", have: Int64? = nil, source: FileIdentity = Self.source,
        _ change: (inout UploadOrder) -> Void = { _ in }
    ) throws -> FTPAndSFTPUpload {
        var order = UploadOrder(.file("/x"))
        change(&order)
        let target = try TransferURL(url)
        var request = try ConnectionRequest(url)
        func make(_ request: ConnectionRequest) -> FTPAndSFTPUpload {
            FTPAndSFTPUpload(request, order, to: target, size: source.length, source: source) { range in
                Array(Self.content[Int(range.lowerBound)..<Int(range.upperBound)])
            }
        }
        if let have, let place = make(request).firstPlace {
            request.resume = ResumePoint(
                upload: place, have: ByteCount(bytes: have), total: ByteCount(bytes: source.length), name: "x")
        }
        return make(request)
    }

    private func answer(_ change: (inout UploadAnswer) -> Void = { _ in }) throws -> UploadAnswer {
        var answer = UploadAnswer(url: try TransferURL("ftp://h/dir/x"))
        change(&answer)
        return answer
    }

    /// All is sent, and the server has named this size.
    private func measured(_ upload: inout FTPAndSFTPUpload, _ size: Int64? = 200_000) throws -> UploadStep {
        _ = upload.next(after: nil)
        _ = upload.next(after: try answer { $0.given = 200_000 })
        return upload.next(after: try answer { $0.size = size })
    }

    /// The last bytes of what an earlier attempt has left are asked for.
    private func comparing(have: Int64, found: Int64) throws -> FTPAndSFTPUpload {
        var upload = try dialogue(have: have)
        let size = try answer { $0.size = found }
        for answer in [nil, size, nil, size] { _ = upload.next(after: answer) }
        return upload
    }

    /// A step in a few words.
    private func words(_ step: UploadStep) -> String {
        guard case .request(let request) = step else { return step.words }
        if !request.commandsBefore.isEmpty { return request.commandsBefore.joined(separator: ", ") }
        if !request.commandsAfter.isEmpty { return request.commandsAfter.joined(separator: ", ") }
        if request.isHead { return request.url.lastPathComponent == "x" ? "size of x" : "size" }
        guard let body = request.body else { return "read \(request.wanted) at \(request.resumeFrom)" }
        return "send \(body) at \(request.resumeFrom)"
            + (request.startsOver == .sentAgain ? "" : ", \(request.startsOver)")
    }

    @Test func `sends, measures and renames`() throws {
        var upload = try dialogue()
        let name = try require(upload.firstPlace?.name)
        expectEqual(words(upload.next(after: nil)), "send 0..<200000 at 0")
        expectEqual(words(upload.next(after: try answer { $0.given = 200_000 })), "size")
        expectEqual(words(upload.next(after: try answer { $0.size = 200_000 })), "RNFR \(name), RNTO x")
        expectEqual(words(upload.next(after: try answer())), "done")
    }

    @Test func `asks twice, compares and sends the rest`() throws {
        var upload = try dialogue(have: 100_000)
        expectEqual(words(upload.next(after: nil)), "size")
        expectEqual(words(upload.next(after: try answer { $0.size = 110_000 })), "wait 2.0 seconds")
        expectEqual(words(upload.next(after: nil)), "size")
        expectEqual(words(upload.next(after: try answer { $0.size = 110_000 })), "read 65536 at 44464")
        let overlap = try answer { $0.body = Array(Self.content[44_464..<110_000]) }
        expectEqual(words(upload.next(after: overlap)), "send 110000..<200000 at 110000")
        // A server without APPE.
        let refused = try answer { ($0.code, $0.reply, $0.failure) = (.uploadFailed, 550, .other("refused")) }
        expectEqual(words(upload.next(after: refused)), "send 0..<200000 at 0, appendRefused")
    }

    private static let missing = TransferFailure.remoteFile(.missingOrDenied, path: "/dir/y")
    private static let anew = "send 0..<200000 at 0, remoteBytesDiffer"
    private static let rest = "send 100000..<200000 at 100000"
    /// Bytes that an earlier attempt has sent, and that are there; why they cannot be read; the next step.
    private static let refusals: [(Int64, Int64, CurlCode, TransferFailure, String)] = [
        (100_000, 100_000, .ok, .connectionLost("reset"), "connectionLost(\"reset\"), kept"),
        (100_000, 100_000, .ok, .remoteFile(.missing, path: "/dir/y"), anew),
        // A server that accepts uploads only. The temporary name is a hash of source and target.
        (100_000, 100_000, .retrieveRefused, .remoteFile(.denied, path: "/dir/y"), rest),
        (110_000, 100_000, .retrieveRefused, missing, rest),
        (100_000, 100_000, .retrieveRefused, .other("RETR response: 553"), rest),
        (200_000, 200_000, .retrieveRefused, missing, "size"), (90_000, 100_000, .retrieveRefused, missing, anew),
        (100_000, 100_000, .restRefused, .other("Couldn't use REST"), "send 0..<200000 at 0, rangeRefused"),
    ]

    @Test(arguments: refusals)
    func `goes on behind as many bytes as it has sent when it may not read them`(
        sent: Int64, found: Int64, code: CurlCode, failure: TransferFailure, next: String
    ) throws {
        var upload = try comparing(have: sent, found: found)
        expectEqual(words(upload.next(after: try answer { ($0.code, $0.failure) = (code, failure) })), next)
    }

    /// What the server has is not thrown away because it has no space for more, or is busy.
    @Test func `goes on when the bytes are the same, and keeps them when it cannot`() throws {
        var other = try comparing(have: 100_000, found: 100_000)
        let zeros = try answer { $0.body = [UInt8](repeating: 0, count: 65536) }
        expectEqual(words(other.next(after: zeros)), Self.anew)
        var whole = try comparing(have: 200_000, found: 200_000)
        expectEqual(words(whole.next(after: try answer { $0.body = Array(Self.content.suffix(65536)) })), "size")
        expect(words(whole.next(after: try answer { $0.size = 200_000 })).hasPrefix("RNFR "))
        var busy = try comparing(have: 100_000, found: 100_000)
        let inUse = TransferFailure.remoteFile(.busy, path: "/dir/y")
        expect(words(busy.next(after: try answer { ($0.failure, $0.body) = (inUse, [1]) })).hasSuffix(", kept"))
        for (reply, expected) in [
            (452, "remoteFull(host: \"h\")"), (450, "busy, path: "), (551, "send 0..<200000 at 0"),
        ] {
            var upload = try comparing(have: 110_000, found: 110_000)
            _ = upload.next(after: try answer { $0.body = Array(Self.content[44_464..<110_000]) })
            let refused = try answer { ($0.code, $0.reply, $0.failure) = (.uploadFailed, reply, .other("refused")) }
            let step = words(upload.next(after: refused))
            expect(step.contains(expected) && (reply == 551) == !step.hasSuffix(", kept"), "\(step)")
        }
        // An earlier connection still writes.
        var growing = try dialogue(have: 100_000)
        _ = growing.next(after: nil)
        _ = growing.next(after: try answer { $0.size = 100_000 })
        _ = growing.next(after: nil)
        expect(words(growing.next(after: try answer { $0.size = 100_001 })).contains("busy, path: "))
    }

    @Test(arguments: [(nil, "remoteSizeUnknown"), (0, "remoteBytesDiffer"), (200_001, "remoteBytesDiffer")])
    func `begins anew at a size that is none of its own`(size: Int64?, cause: String) throws {
        var upload = try dialogue(have: 100_000)
        _ = upload.next(after: nil)
        expectEqual(words(upload.next(after: try answer { $0.size = size })), "send 0..<200000 at 0, \(cause)")
    }

    @Test func `warns when the server tells no size`() throws {
        var upload = try dialogue()
        let renaming = words(try measured(&upload, nil))
        expect(renaming.hasPrefix("RNFR "))
        expectEqual(upload.warning, .remoteSizeUnknown)
    }

    /// Of an empty file libcurl names no size where an SFTP server names 0.
    @Test(arguments: [("ftp", .remoteSizeUnknown), ("sftp", nil)] as [(String, TransferWarning?)])
    func `does not warn of an empty file by SFTP`(scheme: String, warning: TransferWarning?) throws {
        let empty = FileIdentity(device: 1, node: 2, length: 0, modified: 3)
        var upload = try dialogue("\(scheme)://h/dir/x", source: empty)
        _ = upload.next(after: nil)
        _ = upload.next(after: try answer())
        expect(words(upload.next(after: try answer())).contains(".winch-"), "it is renamed")
        expectEqual(upload.warning, warning)
    }

    @Test func `has another temporary name for another version of the source`() throws {
        var other = Self.source
        other.modified += 1
        let names = try [dialogue(), dialogue(source: other), dialogue("ftp://h/dir/y")].map { $0.firstPlace?.name }
        expectEqual(Set(names).count, 3)
        try expectEqual(dialogue().firstPlace, dialogue().firstPlace)
    }

    @Test func `renames to the bytes of a name that is no UTF-8`() throws {
        var upload = try dialogue("ftp://h/dir/%C4%E3.zip")
        let commands = words(try measured(&upload)).systemBytes
        expectEqual(commands.suffix(11), Array("RNTO ".utf8) + [0xC4, 0xE3] + Array(".zip".utf8))
    }

    @Test(
        arguments: [
            ("ftp://h/dir/a%0Ab", "by FTP: a control character in the name"),
            ("ftp://h/a%FF%FB/b", "by FTP: the byte FF in the name"),
            ("ftp://h/dir/a%FF", "by FTP: the byte FF in the name"),
            ("ftp://h/~", "by FTP: a server takes ~ for a home folder"),
            ("ftp://h/dir/~/x", "by FTP: a server takes ~ for a home folder"),
            (
                "sftp://h/dir/a%0Ab",
                "by SFTP under a temporary name: a control character in the name; "
                    + "--no-temporary-name sends without it"
            ),
        ])
    func `sends nothing under a name that no command can have`(url: String, details: String) throws {
        var upload = try dialogue(url)
        let failure = TransferFailure.remoteWrite(.name, path: try TransferURL(url).shownPath, details: details)
        expectEqual(words(upload.next(after: nil)), "\(failure)")
    }

    @Test(arguments: ["ftp://h/dir/a%7Fb", "ftp://h/~/b", "ftp://h/dir/~b", "ftp://h/a%FF%FA", "sftp://h/a%FF/~"])
    func `sends under a name that a command can have`(url: String) throws {
        var upload = try dialogue(url)
        expectEqual(words(upload.next(after: nil)), "send 0..<200000 at 0")
    }

    @Test func `sends a control character by SFTP where nothing is renamed`() throws {
        var upload = try dialogue("sftp://h/dir/a%0Ab") { $0.usesTemporaryName = false }
        expectEqual(words(upload.next(after: nil)), "send 0..<200000 at 0")
    }

    @Test(arguments: [(450, RemoteWriteFault.busy), (550, .rename)])
    func `renames later when the server cannot now`(reply: Int, fault: RemoteWriteFault) throws {
        var upload = try dialogue()
        _ = try measured(&upload)
        let refused = try answer {
            ($0.code, $0.reply) = (CurlCode.quoteFailed, reply)
            ($0.failure, $0.refusal) = (TransferFailure.other("x"), "the reply")
        }
        let expected = TransferFailure.remoteWrite(fault, path: "/dir/x", details: "the reply")
        expectEqual(words(upload.next(after: refused)), "size", "of a folder of the name")
        expectEqual(words(upload.next(after: try answer { $0.failure = .other("none") })), "\(expected), kept")
    }

    @Test func `fails when the server has another size`() throws {
        var upload = try dialogue()
        let step = words(try measured(&upload, 199_999))
        // Kept: so that it can be removed when the upload is cancelled.
        expect(step.contains("199999 instead of 200000 bytes") && step.hasSuffix(", kept"))
    }

    @Test func `removes the old file by SFTP only on a server that renames`() throws {
        var upload = try dialogue("sftp://h/a%22b%5C/x")
        let name = try require(upload.firstPlace?.name)
        let renaming = words(try measured(&upload))
        let (own, goal) = (#""/a\"b\\/\#(name)""#, #""/a\"b\\/x""#)
        let other = #""/a\"b\\/\#(name).new""#
        expectEqual(renaming, "rename \(own) \(goal)")
        let refused = try answer { ($0.code, $0.failure) = (.quoteFailed, .other("rename command failed")) }
        expectEqual(words(upload.next(after: refused)), "read \(SFTPListing.longest) at 0")
        expectEqual(
            words(upload.next(after: try answer())),
            "rename \(own) \(other), rename \(other) \(own), rm \(goal), rename \(own) \(goal)")
        // Refused, or the connection has ended: libcurl says the same of both.
        expectEqual(words(upload.next(after: refused)), "size")
        let again = words(upload.next(after: try answer { $0.size = 200_000 }))
        expectEqual(again, "rename \(own) \(other), rename \(other) \(own), *rm \(goal), rename \(own) \(goal)")
        expect(words(upload.next(after: refused)).hasSuffix(", kept"))
    }

    @Test func `names files of the home folder by relative paths`() throws {
        try expectEqual(TransferURL("sftp://h/~/a%20b/").commandPath(of: "x"), "\"a b/x\"")
        try expectEqual(TransferURL("sftp://h/~a/").commandPath(of: "x"), "\"/~a/x\"")
    }

    @Test func `uses the name itself when it is told to`() throws {
        var upload = try dialogue { $0.usesTemporaryName = false }
        expectNil(upload.firstPlace)
        expectEqual(words(upload.next(after: nil)), "send 0..<200000 at 0")
        _ = upload.next(after: try answer { $0.given = 200_000 })
        expectEqual(words(upload.next(after: try answer { $0.size = 200_000 })), "done")
    }

    /// What is there may be an older file that ends in the same bytes: its size and its end prove nothing.
    @Test func `sends the whole again under the name itself when no reply came`() throws {
        var upload = try dialogue { $0.usesTemporaryName = false }
        let lost = try answer { ($0.code, $0.failure, $0.given) = (.timedOut, .connectionLost("no reply"), 200_000) }
        _ = upload.next(after: nil)
        expectEqual(words(upload.next(after: lost)), "connectionLost(\"no reply\")", "nothing is kept")
    }

    @Test(
        arguments: [
            (CurlCode.uploadFailed, 550, TransferFailure.remoteWrite(.denied, path: "/dir/x")),
            (.uploadFailed, 530, .remoteWrite(.denied, path: "/dir/x")),
            (.uploadFailed, 425, .remoteWrite(.busy, path: "/dir/x", details: "the reply")),
            (.accessDenied, 450, .remoteWrite(.busy, path: "/dir/x", details: "the reply")),
            (.passiveRefused, 425, .remoteWrite(.busy, path: "/dir/x", details: "the reply")),
            (.uploadFailed, 501, .remoteWrite(.unknown, path: "/dir/x", details: "the reply")),
            (.uploadFailed, 452, .remoteFull(host: "h")), (.partialFile, 552, .remoteFull(host: "h")),
            (.remoteDiskFull, 0, .remoteFull(host: "h")),
            (.partialFile, 451, .remoteWrite(.busy, path: "/dir/x", details: "the reply (is its disk full?)")),
            (.partialFile, 426, .connectionLost("lost")), (.ssh, 0, .connectionLost("lost")),
            (.accessDenied, 550, .remoteWrite(.noFolder, path: "/dir/")),
        ])
    func `names what the server says`(code: CurlCode, reply: Int, expected: TransferFailure) throws {
        var upload = try dialogue()
        _ = upload.next(after: nil)
        let failed = try answer {
            ($0.code, $0.reply, $0.failure, $0.refusal) = (code, reply, .connectionLost("lost"), "the reply")
        }
        guard case .failed(let failure, let place) = upload.next(after: failed) else {
            Issue.record("it goes on")
            return
        }
        expectEqual(failure, expected)
        expectEqual(place, upload.firstPlace)
    }

    @Test func `says that a server refuses the temporary name`() throws {
        for isNamed in [true, false] {
            var upload = try dialogue()
            _ = upload.next(after: nil)
            let name = isNamed ? upload.firstPlace?.name ?? "" : "x"
            let refused = try answer {
                ($0.code, $0.reply, $0.failure) = (CurlCode.uploadFailed, 553, TransferFailure.other("x"))
                $0.refusal = "553 Prohibited file name: \(name)"
            }
            let details = "553 Prohibited file name: \(name); --no-temporary-name sends under its own name"
            let expected: TransferFailure =
                isNamed
                ? .remoteWrite(.unknown, path: "/dir/x", details: details) : .remoteWrite(.denied, path: "/dir/x")
            expectEqual(words(upload.next(after: refused)), "\(expected), kept")
        }
    }

    @Test(arguments: [(true, RemoteWriteFault.denied), (false, .noFolder)])
    func `does not advise to create folders where that is done`(creates: Bool, fault: RemoteWriteFault) throws {
        var upload = try dialogue("sftp://h/dir/x") { $0.createsFolders = creates }
        _ = upload.next(after: nil)
        let missing = try answer { ($0.code, $0.failure) = (.remoteFileNotFound, .other("x")) }
        let expected = TransferFailure.remoteWrite(fault, path: "/dir/")
        expectEqual(words(upload.next(after: missing)), "\(expected), kept")
    }

    @Test(arguments: [(0, .remoteFull(host: "h")), (1, nil), (nil, nil)] as [(UInt64?, TransferFailure?)])
    func `asks an SFTP server that says no more than that it failed for its space`(
        free: UInt64?, expected: TransferFailure?
    ) throws {
        var upload = try dialogue("sftp://h/dir/x")
        _ = upload.next(after: nil)
        let failed = try answer { ($0.code, $0.failure) = (.ssh, .other("Failure")) }
        expectEqual(words(upload.next(after: failed)), "*statvfs \"/dir/.\"")
        guard case .failed(let failure, let place) = upload.next(after: try answer { $0.freeBlocks = free }) else {
            Issue.record("it goes on")
            return
        }
        expectEqual(failure, expected ?? .remoteWrite(.unknown, path: "/dir/x"))
        expectEqual(place, upload.firstPlace)
    }

    /// Up to the answer that a file of this name is there.
    private func refused(_ url: String) throws -> FTPAndSFTPUpload {
        var upload = try dialogue(url)
        _ = try measured(&upload)
        let refused = try answer { ($0.code, $0.failure) = (.quoteFailed, .other("rename failed")) }
        let question = url.hasPrefix("sftp") ? "read \(SFTPListing.longest) at 0" : "size"
        expectEqual(words(upload.next(after: refused)), question)
        return upload
    }

    @Test func `gives the file the mode of the one that it replaces`() throws {
        var upload = try refused("sftp://h/dir/x")
        let listing = """
            -rw-r--r--    1 root     root        65536 Nov 25 15:34 a x
            -rwxr-x--T    1 root     root        65536 Nov 25  2024 x

            """
        let commands = words(upload.next(after: try answer { $0.body = Array(listing.utf8) }))
        expect(commands.contains(", *chmod 750 \"/dir/.winch-"))
        expect(commands.contains(".part\", rm \"/dir/x\", rename "))
    }

    @Test(arguments: [("ftp", "DELE .winch-", ".part"), ("sftp", "*rm \"/dir/.winch-", ".part\"")])
    func `leaves nothing behind where a folder has the name`(scheme: String, start: String, end: String) throws {
        var upload = try refused("\(scheme)://h/dir/x")
        let listing = "drwxr-xr-x    2 root     root         4096 Nov 25 15:34 x\n"
        let removal = words(upload.next(after: try answer { $0.body = Array(listing.utf8) }))
        expect(removal.hasPrefix(start) && removal.hasSuffix(end), "\(removal)")
        let failure = TransferFailure.remoteWrite(.folder, path: "/dir/x")
        expectEqual(words(upload.next(after: try answer())), "\(failure)")
    }
}
