import Glibc
import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

@Suite struct `The upload of a folder without files` {
    private func dialogue(_ url: String) throws -> FolderUpload {
        FolderUpload(try ConnectionRequest(url), to: try TransferURL(url), folders: KnownFolders())
    }

    private func words(_ step: UploadStep) -> String {
        guard case .request(let request) = step else { return step.words }
        let words = [request.method ?? (request.isHead ? "HEAD" : "GET"), request.url.text] + request.commandsBefore
        return words.joined(separator: " ") + (request.createsFolders ? ", made" : "")
    }

    @Test(
        arguments: [
            ("http://h/a/b/", ["MKCOL http://h/a/b/"]),
            ("ftp://h/a/b/", ["HEAD ftp://h/a/b/, made"]),
            ("sftp://h/a/b%20c/", ["GET sftp://h/a/b%20c/ *mkdir \"/a\" *mkdir \"/a/b c\""]),
            ("sftp://h/~/a/", ["GET sftp://h/~/a/ *mkdir \"a\""]),
        ])
    func `makes it and those above it`(url: String, requests: [String]) throws {
        var upload = try dialogue(url)
        var answer: UploadAnswer?
        for request in requests {
            expectEqual(words(upload.next(after: answer)), request)
            answer = UploadAnswer(url: try TransferURL(url))
            answer?.head = ResponseHead("HTTP/1.1 201 x")
        }
        expectEqual(words(upload.next(after: answer)), "done")
    }

    @Test func `fails where the server does not make it`() throws {
        var web = try dialogue("http://h/a/")
        _ = web.next(after: nil)
        var answer = UploadAnswer(url: try TransferURL("http://h/a/"))
        answer.head = ResponseHead("HTTP/1.1 403 x")
        expectEqual(words(web.next(after: answer)), "httpStatus(403)")
        var file = try dialogue("sftp://h/a/")
        _ = file.next(after: nil)
        answer = UploadAnswer(url: try TransferURL("sftp://h/a/"))
        answer.failure = .remoteFile(.missing, path: "/a/")
        guard case .failed(.remoteWrite(.denied, let path, _), _) = file.next(after: answer) else {
            Issue.record("it does not fail")
            return
        }
        expectEqual(path, "/a/")
        // It would be another command.
        var control = try dialogue("sftp://h/a%0Ab/")
        expect(words(control.next(after: nil)).contains("a control character in the name"))
        var telnet = try dialogue("ftp://h/a%FF/")
        expect(words(telnet.next(after: nil)).contains("the byte FF in the name"))
    }

    @Test(
        arguments: [
            (207, "/a%20b", "", false), (207, "/a%20b", "<d:collection/>", true), (207, "/a%20b/", "", true),
            (301, "", "", true),
        ])
    func `fails where a WebDAV server has a file of the name`(
        status: Int, path: String, kind: String, isRight: Bool
    ) throws {
        var upload = try dialogue("http://h/a%20b/")
        _ = upload.next(after: nil)
        var answer = UploadAnswer(url: try TransferURL("http://h/a%20b/"))
        answer.head = ResponseHead("HTTP/1.1 405 x")
        expectEqual(words(upload.next(after: answer)), "PROPFIND http://h/a%20b")
        answer.head = ResponseHead("HTTP/1.1 \(status) x")
        answer.body = Array(
            """
            <d:multistatus xmlns:d="DAV:"><d:response><d:href>\(path)</d:href><d:propstat><d:prop><d:resourcetype>\(kind)\
            </d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>
            """.utf8)
        let failure = TransferFailure.remoteWrite(.unknown, path: "/a b/", details: "a file has this name")
        expectEqual(words(upload.next(after: answer)), isRight ? "done" : "\(failure)")
    }

    /// What nginx, as it is and with an index of its folders, S3 and a server with one page for all answer.
    @Test(
        arguments: [
            ([200, 404], false), ([301], true), ([404], true), ([200, 403], true), ([200, 200], true),
        ])
    func `fails where a web server that makes folders has a file of the name`(statuses: [Int], isRight: Bool) throws {
        var upload = try dialogue("http://h/a%20b/")
        var answer = UploadAnswer(url: try TransferURL("http://h/a%20b/"))
        var asked = [words(upload.next(after: nil))]
        for status in [405, 405] + statuses {
            answer.head = ResponseHead("HTTP/1.1 \(status) x")
            asked.append(words(upload.next(after: answer)))
        }
        let heads = Array(["HEAD http://h/a%20b", "HEAD http://h/a%20b/"].prefix(statuses.count))
        let failure = TransferFailure.remoteWrite(.unknown, path: "/a b/", details: "a file has this name")
        expectEqual(Array(asked.prefix(2)), ["MKCOL http://h/a%20b/", "PROPFIND http://h/a%20b"])
        expectEqual(Array(asked.dropFirst(2)), heads + [isRight ? "done" : "\(failure)"])
    }

    @Test(arguments: [("/a", "done"), ("http://h/x/", "done"), ("https://h/a/", "https://h/a/; give that address")])
    func `fails where the server redirects to another`(location: String, words expected: String) throws {
        var upload = try dialogue("http://h/a/")
        _ = upload.next(after: nil)
        var answer = UploadAnswer(url: try TransferURL("http://h/a/"))
        answer.head = ResponseHead("HTTP/1.1 301 x", "Location: \(location)")
        let failure = TransferFailure.redirectRefused(expected)
        expectEqual(words(upload.next(after: answer)), expected == "done" ? expected : "\(failure)")
    }

    @Test func `has no bytes, and is a folder that can be read`() throws {
        let folder = try TemporaryFolder()
        mkfifo(folder.path + "/pipe", 0o600)
        func source(_ path: String) throws -> UploadSource {
            try UploadSource(UploadOrder(.folder(path)), of: TransferID(1), OpenStreams(), whenReadable: {})
        }
        let empty = try source(folder.path)
        expect(empty.size == 0 && empty.version == nil && empty.isRepeatable)
        for (name, reason) in [("pipe", "is neither a file nor a folder"), ("none", "does not exist")] {
            let path = folder.path + "/" + name
            let failure = #expect(throws: TransferFailure.self) { try source(path) }
            expectEqual(failure, .readWrite(path, reason: reason))
        }
    }
}
