import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

/// The connection is lost while the file gets its own name.
@Suite struct `A lost answer to a renaming` {
    private static let source = FileIdentity(device: 1, node: 2, length: 100, modified: 3)

    private func request(_ scheme: String) throws -> ConnectionRequest {
        ConnectionRequest(
            connection: ConnectionID(transfer: TransferID(1)), url: try TransferURL("\(scheme)://h/dir/x"), folder: "/",
            name: nil, settings: Shared(TransferSettings()))
    }

    private func dialogue(_ request: ConnectionRequest) -> FTPAndSFTPUpload {
        FTPAndSFTPUpload(request, UploadOrder(.file("/x")), to: request.url, size: 100, source: Self.source) { range in
            [UInt8](repeating: 0, count: range.count)
        }
    }

    /// All is sent, and the first command to rename it is under way.
    private func renaming(_ scheme: String) throws -> FTPAndSFTPUpload {
        var upload = dialogue(try request(scheme))
        _ = upload.next(after: nil)
        _ = upload.next(after: try answer { $0.given = 100 })
        _ = upload.next(after: try answer(size: 100))
        return upload
    }

    private func answer(size: Int64? = nil, _ change: (inout UploadAnswer) -> Void = { _ in }) throws -> UploadAnswer {
        var answer = UploadAnswer(url: try TransferURL("ftp://h/dir/x"))
        answer.size = size
        change(&answer)
        return answer
    }

    private func failure(_ failure: TransferFailure, _ code: CurlCode) throws -> UploadAnswer {
        try answer { ($0.failure, $0.code) = (failure, code) }
    }

    private func lost() throws -> UploadAnswer { try failure(.connectionLost("x"), .receiveError) }
    private func refused() throws -> UploadAnswer { try failure(.other("rename command failed"), .quoteFailed) }
    private func missing() throws -> UploadAnswer {
        try failure(.remoteFile(.missing, path: "/dir/y"), .remoteFileNotFound)
    }

    /// The last part of the name that a size is asked of, without the hash; the first command; or the end.
    private func words(_ step: UploadStep) -> String {
        switch step {
        case .request(let request):
            if let command = (request.commandsBefore + request.commandsAfter).first {
                return String(command.prefix { $0 != " " }) + " \(request.commandsBefore.count)"
            }
            if let body = request.body { return "send \(body), \(request.startsOver)" }
            let name = String(request.url.lastPathComponent)
            return "size of "
                + (name == "x" ? "x" : name.hasSuffix(".new") ? ".new" : name.hasSuffix(".part") ? ".part" : "?")
        case .done: return "done"
        case .failed(let failure, let place):
            return "\(failure)" + (place == nil ? "" : place?.isRenaming == true ? ", renaming" : ", kept")
        case .wait(let span): return "wait \(span)"
        case .hold: return "hold"
        case .needsSize: return "needs the size"
        case .hash(let function, let range): return "\(function) \(range)"
        }
    }

    @Test func `is none when the file has its name`() throws {
        var upload = try renaming("ftp")
        #expect(words(upload.next(after: try lost())) == "size of .part")
        #expect(words(upload.next(after: try missing())) == "size of x")
        #expect(words(upload.next(after: try answer(size: 100))) == "done")
    }

    /// libcurl calls it a command that failed.
    @Test func `of SFTP is told from a refusal`() throws {
        var upload = try renaming("sftp")
        #expect(words(upload.next(after: try refused())) == "size of ?")
        #expect(words(upload.next(after: try lost())) == "rename 4")
        #expect(words(upload.next(after: try refused())) == "size of .part")
        #expect(words(upload.next(after: try missing())) == "size of .new")
        #expect(words(upload.next(after: try missing())) == "size of x")
        #expect(words(upload.next(after: try answer(size: 100))) == "done")
    }

    @Test func `is followed by another when the file has no name yet`() throws {
        for (scheme, next) in [("ftp", "RNFR 0"), ("sftp", "rename 1")] {
            var upload = try renaming(scheme)
            _ = upload.next(after: try lost())
            #expect(words(upload.next(after: try answer(size: 100))) == next)
            #expect(words(upload.next(after: try answer())) == "done")
        }
    }

    /// The old file must not pass for the new one.
    @Test func `is followed by another when the file has the second temporary name`() throws {
        var upload = try renaming("sftp")
        _ = upload.next(after: try refused())
        _ = upload.next(after: try answer())
        _ = upload.next(after: try lost())
        _ = upload.next(after: try missing())
        #expect(words(upload.next(after: try answer(size: 100))) == "rename 3")
        #expect(words(upload.next(after: try answer())) == "done")
    }

    @Test func `makes the upload begin anew when the file is nowhere`() throws {
        for found in [try missing(), try answer(size: 99)] {
            var upload = try renaming("ftp")
            _ = upload.next(after: try lost())
            _ = upload.next(after: try missing())
            #expect(words(upload.next(after: found)) == "send 0..<100, remoteFileGone")
        }
    }

    @Test func `is cleared up by the next attempt when the server cannot be asked`() throws {
        for scheme in ["ftp", "sftp"] {
            var upload = try renaming(scheme)
            _ = upload.next(after: try lost())
            guard case .failed(let failure, let place?) = upload.next(after: try lost()) else {
                Issue.record("it goes on")
                return
            }
            #expect(failure == .connectionLost("x") && place.isRenaming == true)
            var request = try request(scheme)
            request.resume = ResumePoint(upload: place, have: ByteCount(100), total: ByteCount(100), name: "x")
            var next = dialogue(request)
            #expect(words(next.next(after: nil)) == "size of .part")
            if scheme == "sftp" { #expect(words(next.next(after: try missing())) == "size of .new") }
            #expect(words(next.next(after: try missing())) == "size of x")
            #expect(words(next.next(after: try answer(size: 100))) == "done")
        }
    }

    @Test func `says nothing where no sizes are told`() throws {
        var upload = try renaming("ftp")
        _ = upload.next(after: try lost())
        #expect(words(upload.next(after: try answer())) == "connectionLost(\"x\")")
    }
}
