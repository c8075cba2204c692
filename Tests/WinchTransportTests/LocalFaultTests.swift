import FaultServer
import Glibc
import TestSupport
import Testing
import WinchCore

@testable import WinchTransport

@Suite(.timeLimit(.minutes(1))) struct `A local fault` {
    @Test func `of a part that is a link is never followed`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            rig.folder.write("victim", Array("mine".utf8))
            rig.folder.link("f.part", to: rig.folder.path + "/victim")
            #expect(try await rig.haul(server.url("f", "size=300K")).saved == "f")
            let resume = ResumePoint(
                partPath: "f.part", targetPath: "g", have: ByteCount(bytes: 2), total: ByteCount(bytes: 300 << 10))
            #expect(try await rig.haul(server.url("g", "size=300K"), id: 2, resume: resume).saved == "g")
            #expect(try rig.folder.bytes("victim") == Array("mine".utf8))
            rig.transport.discard(TransferID(3), resume, folder: rig.folder.path, addresses: [])
            await rig.transport.shutDown()
            #expect(rig.folder.names == ["f", "f.part", "g", "victim"])
        }
    }

    @Test func `of a part with a second name leaves that alone`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            rig.folder.write("victim", Array("mine".utf8))
            #expect(link(rig.folder.path + "/victim", rig.folder.path + "/f.part") == 0)
            let resume = ResumePoint(
                partPath: "f.part", targetPath: "f", have: ByteCount(bytes: 2), total: ByteCount(bytes: 300 << 10))
            #expect(try await rig.haul(server.url("f", "size=300K"), resume: resume).saved == "f")
            #expect(try rig.folder.bytes("victim") == Array("mine".utf8))
        }
    }

    @Test func `of a folder that has the name goes round it`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            rig.folder.makeFolder("d.zip")
            for (id, size) in [(1, "10"), (2, "300K")] {
                #expect(try await rig.haul(server.url("d.zip", "size=\(size)"), id: id).saved == "d.\(id).zip")
            }
            let overwrite = try await rig.haul(server.url("d.zip", "size=300K"), id: 3, name: "d.zip") {
                $0.onConflict = .overwrite
            }
            #expect(overwrite.failure == .nameTaken(rig.folder.path + "/d.zip"))
        }
    }

    @Test func `of a folder that vanishes is noticed while bytes come`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let path = rig.folder.path + "/gone"
            try rig.start(server.url("f", "size=10M", "rate=200K"), below: "/gone")
            _ = await rig.events { if case .moved(let have) = $0 { have > .zero } else { false } }
            unlink(path + "/f.part")
            rmdir(path)
            let events = await rig.settled()
            #expect(events.failure == .readWrite(path, reason: "removed during the download"))
            #expect(events.kept == nil)
        }
    }

    @Test func `of a part that is removed is noticed while bytes come`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            try rig.start(server.url("f", "size=10M", "rate=200K"))
            _ = await rig.events { if case .moved(let have) = $0 { have > .zero } else { false } }
            unlink(rig.folder.path + "/f.part")
            let events = await rig.settled()
            #expect(events.failure == .readWrite(rig.folder.path + "/f.part", reason: "removed during the download"))
            #expect(events.kept == nil)
        }
    }

    @Test(
        arguments: [
            (ENOSPC, .diskFull(folder: "/d")),
            (EDQUOT, .readWrite("d/f", reason: "disk quota exceeded; make room, then retry")),
            (EIO, .readWrite("d/f", reason: "input/output error; check the disk")),
            (EROFS, .readWrite("d/f", reason: "the file system is read-only")),
            (EFBIG, .readWrite("d/f", reason: "larger than the file system or ulimit -f allows")),
            (EISDIR, .readWrite("d/f", reason: "there is a folder where a file is needed")),
            (ESTALE, .readWrite("d/f", reason: "stale file handle (network file system); retry")),
        ] as [(Int32, TransferFailure)])
    func `of a write has words`(code: Int32, failure: TransferFailure) {
        #expect(DiskFailure.file(code, path: "d/f", folder: "/d") == failure)
    }

    @Test(
        arguments: [
            ("SSL certificate problem: certificate has expired", "the certificate of h has expired"),
            (
                "SSL: no alternative certificate subject name matches target host name 'h'",
                "the certificate is not for h but for another host"
            ),
            (
                "SSL certificate problem: self-signed certificate",
                "the certificate of h is self-signed (--cacert FILE trusts it)"
            ),
            (
                "SSL certificate problem: self signed certificate in certificate chain",
                "the certificate of h is signed by an unknown authority (--cacert FILE names one to trust)"
            ),
            (
                "SSL certificate problem: unable to get local issuer certificate",
                "the certificate of h is signed by an unknown authority (--cacert FILE names one to trust)"
            ),
            (
                "SSL certificate problem: certificate is not yet valid",
                "the certificate of h is not valid yet; is this machine's clock right?"
            ),
            ("something new", "something new"),
        ])
    func `of trust has clear words`(words: String, clear: String) {
        #expect(CertificateWords.clear(words, host: "h") == clear)
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A hash in the making` {
    @Test func `follows a file that grows, by turns or at the end`() throws {
        let folder = try TemporaryFolder()
        let content = (0..<20_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        folder.write("f", content)
        let file = Descriptor(open(folder.path + "/f", O_RDONLY))
        let empty = try #require(Checksum("md5=" + String(repeating: "0", count: 32)))
        func found(_ turn: (RunningDigest) -> Void) -> String? {
            let digest = RunningDigest([DigestDemand(empty)], file: file, path: "f")
            turn(digest)
            do throws(TransferFailure) {
                try digest.complete(size: 20_000_000)
                return nil
            } catch {
                if case .checksum(_, _, let got) = error { return got }
                return "\(error)"
            }
        }
        let atOnce = try #require(found { _ in })
        let byTurns = found { digest in
            #expect(digest.extend(to: 10_000_000))
            #expect(!digest.extend(to: 12_000_000))
            #expect(digest.advance())
            #expect(!digest.advance())
            #expect(digest.extend(to: 15_000_000))
            digest.giveUp()
            #expect(!digest.advance())
            #expect(!digest.extend(to: 16_000_000))
        }
        #expect(byTurns == atOnce)
        #expect(found { _ = $0.extend(to: 30_000_000) } == atOnce)
    }

    @Test func `of a file that is shorter than it should be says so`() throws {
        let folder = try TemporaryFolder()
        folder.write("f", [1, 2, 3])
        let file = Descriptor(open(folder.path + "/f", O_RDONLY))
        let empty = try #require(Checksum("md5=" + String(repeating: "0", count: 32)))
        let digest = RunningDigest([DigestDemand(empty)], file: file, path: "f")
        #expect(throws: TransferFailure.readWrite("f", reason: "the file on disk is shorter than what was received")) {
            try digest.complete(size: 4)
        }
    }
}
