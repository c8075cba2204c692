import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

/// The connection is lost while the file gets its own name.
@Suite struct `A lost answer to a renaming` {
    private static let source = FileIdentity(device: 1, node: 2, length: 100, modified: 3)

    /// What the server answers to a step.
    enum Reply {
        case lost, refused, missing, found(Int64), good
    }

    private func dialogue(_ request: ConnectionRequest) -> FTPAndSFTPUpload {
        FTPAndSFTPUpload(request, UploadOrder(.file("/x")), to: request.url, size: 100, source: Self.source) { range in
            [UInt8](repeating: 0, count: range.count)
        }
    }

    /// All is sent, and the first command to rename it is under way.
    private func renaming(_ scheme: String) throws -> FTPAndSFTPUpload {
        var upload = dialogue(try ConnectionRequest("\(scheme)://h/dir/x"))
        _ = upload.next(after: nil)
        var sent = try answer(.good)
        sent.given = 100
        _ = upload.next(after: sent)
        _ = upload.next(after: try answer(.found(100)))
        return upload
    }

    private func answer(_ reply: Reply) throws -> UploadAnswer {
        var answer = UploadAnswer(url: try TransferURL("ftp://h/dir/x"))
        switch reply {
        case .lost: (answer.failure, answer.code) = (TransferFailure.connectionLost("x"), CurlCode.receiveError)
        // libcurl calls the end of an SFTP connection the same.
        case .refused: (answer.failure, answer.code) = (TransferFailure.other("x"), CurlCode.quoteFailed)
        case .missing:
            (answer.failure, answer.code) = (
                TransferFailure.remoteFile(.missing, path: "/dir/y"), CurlCode.remoteFileNotFound
            )
        case .found(let size): answer.size = size
        case .good: break
        }
        return answer
    }

    /// The last part of the name that a size is asked of, without the hash; the first command; or the end.
    private func words(_ step: UploadStep) -> String {
        guard case .request(let request) = step else { return step.words }
        if let command = (request.commandsBefore + request.commandsAfter).first {
            return String(command.prefix { $0 != " " }) + " \(request.commandsBefore.count)"
        }
        if let body = request.body { return "send \(body), \(request.startsOver)" }
        let name = String(request.url.lastPathComponent)
        return "size of "
            + (name == "x" ? "x" : name.hasSuffix(".new") ? ".new" : name.hasSuffix(".part") ? ".part" : "?")
    }

    private static let cases: [(String, [Reply], [String])] = [
        ("ftp", [.lost, .missing, .found(100)], ["size of .part", "size of x", "done"]),
        (
            "sftp", [.refused, .lost, .refused, .missing, .missing, .found(100)],
            ["size of ?", "rename 4", "size of .part", "size of .new", "size of x", "done"]
        ),
        // It has no name yet.
        ("ftp", [.lost, .found(100), .good], ["RNFR 0", "done"]),
        ("sftp", [.lost, .found(100), .good], ["rename 1", "done"]),
        // It has the second temporary name: the old file must not pass for the new one.
        ("sftp", [.refused, .good, .lost, .missing, .found(100), .good], ["rename 3", "done"]),
        // It is nowhere.
        ("ftp", [.lost, .missing, .missing], ["send 0..<100, remoteFileGone"]),
        ("ftp", [.lost, .missing, .found(99)], ["send 0..<100, remoteFileGone"]),
        // No sizes are told.
        ("ftp", [.lost, .good], ["connectionLost(\"x\")"]),
    ]

    @Test(arguments: cases)
    func `is followed by what suits the name that the file has`(scheme: String, replies: [Reply], last: [String]) throws
    {
        var upload = try renaming(scheme)
        var steps: [String] = []
        for reply in replies { steps.append(words(upload.next(after: try answer(reply)))) }
        expectEqual(Array(steps.suffix(last.count)), last)
    }

    @Test(arguments: ["ftp", "sftp"])
    func `is cleared up by the next attempt when the server cannot be asked`(scheme: String) throws {
        var upload = try renaming(scheme)
        _ = upload.next(after: try answer(.lost))
        guard case .failed(let failure, let place?) = upload.next(after: try answer(.lost)) else {
            Issue.record("it goes on")
            return
        }
        expect(failure == .connectionLost("x") && place.isRenaming == true)
        var request = try ConnectionRequest("\(scheme)://h/dir/x")
        request.resume = ResumePoint(upload: place, have: ByteCount(100), total: ByteCount(100), name: "x")
        var next = dialogue(request)
        expectEqual(words(next.next(after: nil)), "size of .part")
        if scheme == "sftp" { expectEqual(words(next.next(after: try answer(.missing))), "size of .new") }
        expectEqual(words(next.next(after: try answer(.missing))), "size of x")
        expectEqual(words(next.next(after: try answer(.found(100)))), "done")
    }
}
