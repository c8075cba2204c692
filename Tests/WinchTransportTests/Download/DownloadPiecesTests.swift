import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel
@testable import WinchTransport

@Suite struct `The pieces of a download` {
    private let files: FileServices
    private let folder: TemporaryFolder
    private let part: PartFile
    private let download: Download

    /// A part with all bytes of a file of 250, whose pieces of 100 have hashes.
    init() throws {
        files = try FileServices()
        folder = try TemporaryFolder()
        let part = try PartFile.create(for: "f", in: TargetFolder.open(folder.path, parts: []))
        var position: Int64 = 0
        try [UInt8](repeating: 1, count: 250).withUnsafeBytes { try part.write($0, at: &position) }
        var request = try ConnectionRequest("http://h/f", in: folder.path)
        request.pieces = PieceHashes(
            length: ByteCount(100), algorithm: .md5, digests: Array(repeating: 7, count: 16 * 3))
        self.part = part
        let loop = try require(LoopExecutor())
        download = Download(
            request, inbox: OrderInbox(of: loop), files: files, listedChecksums: ChecksumList(),
            at: Moment(nanoseconds: 0))
        download.version.total = 250
        download.body.use(part)
        download.beginPieces()
    }

    /// The check of a piece, as the body that is in the part now asks for it.
    private func check(_ index: Int) throws -> PieceCheck {
        let pieces = try require(download.pieces)
        return PieceCheck(
            id: download.request.transfer, body: pieces.body, client: download.inbox, file: part.file, path: part.path,
            index: index, range: pieces.range(of: index), expected: pieces.expected(index))
    }

    @Test func `are checked once each of them is right`() throws {
        for index in 0..<3 {
            expectEqual(download.pieces?.isDone, false)
            try expectNil(download.took(check(index), nil))
        }
        expectEqual(download.pieces?.isDone, true)
    }

    @Test func `of an earlier body in the same part say nothing of the bytes of this one`() throws {
        let early = try (0..<3).map { try check($0) }
        download.beginPieces()
        for check in early {
            expectNil(download.took(check, nil))
            expectNil(download.took(check, .checksum(type: "md5", expected: "a", got: "b")))
        }
        expectEqual(download.pieces?.isDone, false)
        // Nothing was forgotten for a wrong piece that is no more.
        expectEqual(part.held, ByteRanges(0..<250))
        let wrong = try require(download.took(check(1), .checksum(type: "md5", expected: "a", got: "b")))
        expectNil(wrong.source)
        expectEqual(part.held, ByteRanges([0..<100, 200..<250]))
    }

    @Test func `that a server's Metalink names hold for a body that replaces another`() throws {
        let loop = try require(LoopExecutor())
        let download = Download(
            try ConnectionRequest("http://h/f", in: folder.path), inbox: OrderInbox(of: loop), files: files,
            listedChecksums: ChecksumList(), at: Moment(nanoseconds: 0))
        download.version.total = 250
        download.body.use(part)
        download.beginPieces()
        expectNil(download.pieces?.isDone)
        let hash = "<hash>\(String(repeating: "0", count: 32))</hash>"
        let metalink = Metalink(
            Array(
                ("<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"><file name=\"f\">"
                    + "<pieces length=\"100\" type=\"md5\">\(hash)\(hash)\(hash)</pieces>"
                    + "<url>http://mirror/f</url></file></metalink>").utf8))
        let file = try require(metalink.files.first)
        expect(download.take(file).pieces != nil)
        let body = download.pieces?.body
        download.beginPieces()
        expectEqual(download.pieces?.isDone, false)
        expect(download.pieces?.body != body)
    }

    @Test func `answer every connection that waits for them, whichever brought its bytes last`() throws {
        download.target = try DownloadTarget(download.request, files: files, parts: [])
        let outbox = Outbox(now: Moment(nanoseconds: 0)) { _ in }
        let connections = (1...2).map { number in
            let request = ConnectionRequest(
                connection: ConnectionID(transfer: TransferID(1), number: number), url: download.request.url,
                folder: folder.path, name: nil, settings: download.request.settings)
            return SegmentConnection(request, 0..<250, of: download, into: part, outbox: outbox)
        }
        for connection in connections {
            guard case .unchecked = download.complete(size: 250, by: connection, demands: []) else {
                Issue.record("it does not wait for its pieces")
                return
            }
        }
        let isEarly = download.takeWaitingEnd() != nil
        expect(!isEarly)
        _ = try download.took(check(1), .checksum(type: "md5", expected: "a", got: "b"))
        expectEqual(download.takeWaitingEnd()?.connections.map(\.id), connections.map(\.id))
    }
}
