import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

/// `x` is downloaded into a folder in which `x.part` is something else.
@Suite(.timeLimit(.minutes(5))) struct `An unrelated file with a part's name` {
    /// What has the name, and its origin.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        /// Finished by this program, from another and from the same URL.
        case finished, finishedFromHere
        /// By `curl --xattr`, `wget --xattr` and browsers.
        case downloaded, downloadedFromHere
        case plain, empty
        /// The part of another URL, from this boot and from an earlier one.
        case part, oldPart
        case hardLink, partWithHardLink, symbolicLink

        var testDescription: String { rawValue }

        func make(_ name: String, in folder: TemporaryFolder, content: [UInt8], url: String) {
            let elsewhere = "http://127.0.0.1:1/x.part"
            let file = folder.path + "/" + name
            switch self {
            case .symbolicLink:
                folder.write("other", content)
                folder.link(name, to: "other")
            case .hardLink, .partWithHardLink:
                folder.write("other", content)
                expectEqual(link(folder.path + "/other", file), 0)
                if self == .partWithHardLink { folder.sign(name, url, total: 300_000, etag: "v") }
            case .empty: folder.write(name, [])
            default: folder.write(name, content)
            }
            switch self {
            case .finished, .finishedFromHere:
                folder.set("user.xdg.origin.url", to: self == .finished ? elsewhere : url, of: name)
                folder.set("user.winch.total", to: "\(content.count)", of: name)
                folder.set("user.winch.validator", to: "\"v\"", of: name)
            case .downloaded: folder.set("user.xdg.origin.url", to: elsewhere, of: name)
            case .downloadedFromHere: folder.set("user.xdg.origin.url", to: url, of: name)
            case .part, .oldPart:
                folder.sign(name, elsewhere, total: 300_000, etag: "v")
                if self == .oldPart { folder.set("user.winch.durable", to: "another-boot:100", of: name) }
            case .plain, .empty, .hardLink, .partWithHardLink, .symbolicLink: break
            }
        }
    }

    /// Even if the ledger names it as the part: it may have replaced one.
    @Test(arguments: Kind.allCases, [false, true])
    func `is not changed`(kind: Kind, isTold: Bool) async throws {
        try await FaultServer.serving { server in
            let content = [UInt8](repeating: 7, count: 2500)
            for (id, size) in [(1, 300_000), (2, 50)] {
                let rig = try Rig()
                let url = server.url("x", "size=\(size)", "etag=v")
                kind.make("x.part", in: rig.folder, content: content, url: url)
                let names = rig.folder.names
                let attributes = rig.folder.attributes("x.part")
                var lastKnown = ResumePoint("x", have: 2000, of: Int64(size), etag: "v")
                lastKnown.isAfterReboot = true
                lastKnown.durable = ByteRanges(0..<1000)
                let events = try await rig.fetch(url, id: id, resume: isTold ? lastKnown : nil)
                expectEqual(events.saved, "x")
                try expectEqual(rig.folder.bytes("x"), FaultServer.content("x", Int64(size)))
                try expect(rig.folder.bytes("x.part") == (kind == .empty ? [] : content))
                expectEqual(rig.folder.attributes("x.part"), attributes)
                expectEqual(rig.folder.names, (names + ["x"]).sorted())
                await rig.transport.shutDown()
            }
        }
    }

    /// The attempt ends before any response: only names have been compared.
    @Test(arguments: Kind.allCases)
    func `is not changed by an attempt that fails or is cancelled`(kind: Kind) async throws {
        let content = [UInt8](repeating: 7, count: 2500)
        for isCancelled in [false, true] {
            let rig = try Rig()
            kind.make("x.part", in: rig.folder, content: content, url: "http://127.0.0.1:1/x")
            let names = rig.folder.names
            let lastKnown = ResumePoint("x", have: 2000)
            if isCancelled {
                let url = try TransferURL("http://127.0.0.1:1/x")
                rig.transport.discard(TransferID(1), lastKnown, folder: rig.folder.path, addresses: [url])
            } else {
                _ = try await rig.fetch("http://127.0.0.1:1/x")
                _ = try await rig.fetch("http://127.0.0.1:1/x", resume: lastKnown)
            }
            await rig.transport.shutDown()
            expectEqual(rig.folder.names, names)
            try expect(rig.folder.bytes("x.part") == (kind == .empty ? [] : content))
        }
    }
}

/// A URL that is signed anew has another query; at another server the query names another file.
@Suite(.timeLimit(.minutes(5))) struct `A part of a URL with another query` {
    private static let have: Int64 = 400_000

    private func url(_ server: FaultServer, _ options: String) -> String {
        server.url("s") + "?size=1000000&" + options
    }

    /// Leaves `s.part`, as a run does that has ended.
    private func leavePart(_ server: FaultServer) async throws -> TemporaryFolder {
        let rig = try Rig()
        _ = try await rig.fetch(url(server, "etag=v&drop=\(Self.have)"))
        await rig.transport.shutDown()
        expectEqual(rig.folder.names, ["s.part"])
        server.forget()
        return rig.folder
    }

    @Test func `is gone on with from its end when the server has the same strong ETag`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig(folder: try await leavePart(server))
            let events = try await rig.fetch(url(server, "etag=v"))
            expect(events.saved == "s" && rig.folder.names == ["s"])
            expectEqual(events.openings.map(\.offset.bytes), [Self.have])
            expectEqual(server.requests.map(\.range), ["bytes=\(Self.have - 4096)-"])
            expectEqual(server.requests.first?.ifRange, "\"v\"")
            try expectEqual(rig.folder.bytes("s"), FaultServer.content("s", 1_000_000))
        }
    }

    @Test(arguments: [
        "etag=w", "noetag=1", "etag=w&ranges=careless", "etag=v&ranges=bare", "etag=v&ranges=off",
        "etag=v&ranges=refuse", "etag=v&status=400,200", "etag=v&rangestatus=304",
        "etag=v&rangestatus=302&header=Location:%20ftp://127.0.0.1/f",
    ])
    func `stays as it is after any other answer, which is no change of the file`(options: String) async throws {
        try await FaultServer.serving { server in
            let rig = try Rig(folder: try await leavePart(server))
            let events = try await rig.fetch(url(server, options)) { $0.onChange = .fail }
            expect(events.saved == "s" && rig.folder.names == ["s", "s.part"])
            expectEqual(events.openings.map(\.offset.bytes), [0])
            expectEqual(events.openings.map(\.startedOver), [nil])
            try expectEqual(rig.folder.bytes("s"), FaultServer.content("s", 1_000_000))
            expectEqual(rig.folder.size("s.part"), Self.have)
        }
    }

    @Test(arguments: ["status=503", "status=close"])
    func `is not the transfer's when no answer has proved it`(options: String) async throws {
        try await FaultServer.serving { server in
            let rig = try Rig(folder: try await leavePart(server))
            let events = try await rig.fetch(url(server, options))
            expect(events.failure != nil && events.kept == nil)
            expect(rig.folder.names == ["s.part"] && rig.folder.size("s.part") == Self.have)
        }
    }

    @Test func `does not hide the transfer's own part`() async throws {
        try await FaultServer.serving { server in
            let folder = try await leavePart(server)
            let other = url(server, "etag=w&drop=300000")
            for offset in [0, 300_000] as [Int64] {
                let rig = try Rig(folder: folder)
                let events = try await rig.fetch(other)
                expectEqual(events.openings.map(\.offset.bytes), [offset])
                expectEqual(folder.names, ["s.1.part", "s.part"])
                await rig.transport.shutDown()
            }
            expectEqual(folder.size("s.part"), Self.have)
        }
    }
}

/// Without extended attributes on the file system, or after a copy that lost them, only a resume point identifies it.
@Suite(.timeLimit(.minutes(5))) struct `A part without attributes` {
    private let size: Int64 = 300_000

    private func lastKnown(_ have: Int64, durable: Int64? = nil) -> ResumePoint {
        var lastKnown = ResumePoint("p", have: have, of: size, etag: "v")
        lastKnown.isAfterReboot = durable != nil
        lastKnown.durable = ByteRanges(0..<(durable ?? 0))
        return lastKnown
    }

    @Test(arguments: [nil, 60_000] as [Int64?])
    func `is resumed when its last bytes match the server's`(durable: Int64?) async throws {
        try await Rig.serving { server, rig in
            let spoiled = durable.map { [UInt8](repeating: 0, count: Int(100_000 - $0)) } ?? []
            rig.folder.write("p.part", FaultServer.content("p", durable ?? 100_000) + spoiled)
            let events = try await rig.fetch(
                server.url("p", "size=\(size)", "etag=v"), resume: lastKnown(100_000, durable: durable))
            let offset = durable ?? 100_000
            expectEqual(events.openings.map(\.offset.bytes), [offset])
            expectEqual(server.requests.map(\.range), ["bytes=\(offset - 4096)-"])
            expectEqual(rig.folder.names, ["p"])
            try expectEqual(rig.folder.bytes("p"), FaultServer.content("p", size))
        }
    }

    @Test(arguments: ["", "ranges=off", "size=90000", "size=100000", "etag=w"])
    func `is not changed when they do not match`(option: String) async throws {
        try await Rig.serving { server, rig in
            let other = [UInt8](repeating: 7, count: 100_000)
            rig.folder.write("p.part", other)
            let events = try await rig.fetch(
                server.url("p") + "?etag=v&" + (option.hasPrefix("size") ? option : "size=\(size)&\(option)"),
                resume: lastKnown(100_000))
            expectEqual(events.saved, "p")
            try expectEqual(rig.folder.bytes("p.part"), other)
            expectEqual(rig.folder.names, ["p", "p.part"])
        }
    }

    /// Where the file system has no attributes, only this process knows how many bytes it left.
    @Test func `is held as far as the process that wrote it left it`() throws {
        let folder = try TemporaryFolder()
        let target = try TargetFolder.open(folder.path, parts: [])
        let part = try PartFile.create(for: "b", in: target)
        try PartWriter(part, at: 0).append([UInt8](repeating: 1, count: 3000))
        var lastKnown = ResumePoint("b", have: 3000)
        lastKnown.mark = FileIdentity(part.file)
        part.release()
        try PartWriter(part, at: 3000).append([UInt8](repeating: 0, count: 500))
        let claim = PartClaim([try TransferURL("http://h/b")], lastKnown: lastKnown)
        let here = try require(PartFile.reopen("b.part", in: target, claim))
        expect(here.written == 3000 && !here.isProven)
    }

    @Test func `is recognised by the process that left it`() async throws {
        try await Rig.serving { server, rig in
            let url = server.url("p", "size=\(size)", "dropfirst=100000", "change=1")
            let kept = try await require(rig.fetch(url).kept)
            for name in rig.folder.attributes("p.part") { rig.folder.set(name, to: nil, of: "p.part") }
            try await expectEqual(rig.fetch(url, resume: kept).saved, "p")
            expectEqual(rig.folder.names, ["p"])
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A part with attributes` {
    /// `systemd` with `ProcSubset=pid`, some containers.
    @Test func `is resumed in full by the process that wrote it even if the boot is unknown`() throws {
        let folder = try TemporaryFolder()
        let target = try TargetFolder.open(folder.path, parts: [])
        let url = try TransferURL("http://h/b")
        let attributes = PartAttributes(url: url.redacted, version: FileVersion(total: 5000))
        let part = try PartFile.create(for: "b", in: target, attributes, boot: nil)
        try PartWriter(part, at: 0).append([UInt8](repeating: 1, count: 3000))
        part.durable.synced(ByteRanges(0..<1000), age: part.durable.age)
        let mark = try require(FileIdentity(part.file))
        part.release()
        var lastKnown = ResumePoint("b", have: 3000)
        lastKnown.mark = mark
        let here = try require(
            PartFile.reopen("b.part", in: target, PartClaim([url], lastKnown: lastKnown), boot: nil))
        expectEqual(here.written, 3000)
        here.release()
        // Another run can rely on what was synced alone.
        for boot in [nil, "x"] {
            let later = try require(PartFile.reopen("b.part", in: target, PartClaim([url]), boot: boot))
            expectEqual(later.written, 1000)
            expectEqual(later.durable.ranges, ByteRanges(0..<1000))
            later.release()
        }
        expectEqual(folder.size("b.part"), 3000, "nothing is cut before it is gone on with")
    }

    @Test func `is recognised if its URL is written differently`() throws {
        let folder = try TemporaryFolder()
        folder.write("b.part", [1, 2, 3])
        folder.sign("b.part", "http://h/b", total: 5, etag: "v")
        let target = try TargetFolder.open(folder.path, parts: [])
        expect(PartFile.reopen("b.part", in: target, PartClaim([try TransferURL("http://h/b")])) != nil)
        expectNil(PartFile.reopen("b.part", in: target, PartClaim([try TransferURL("http://h/c")])))
    }

    /// A part with the wrong hash is kept for the user's inspection; the next attempt replaces it.
    @Test func `with a wrong hash is replaced by the next attempt, also of another run`() async throws {
        try await Rig.serving { server, rig in
            let url = server.url("w", "size=300000")
            let wrong = Checksum("sha-256=" + String(repeating: "0", count: 64))
            var kept = try await require(rig.fetch(url) { $0.checksum = wrong }.kept)
            expectEqual(kept.have, .zero)
            expectEqual(rig.folder.attribute("user.winch.rejected", of: "w.part"), url)
            kept.mark = nil
            let next = try Rig(folder: rig.folder)
            try await expectEqual(next.fetch(url, resume: kept).saved, "w")
            expectEqual(rig.folder.names, ["w"])
            expectNil(rig.folder.attribute("user.winch.rejected", of: "w"))
        }
    }

    @Test(arguments: [true, false])
    func `that is cancelled in another run is removed if the URL matches`(belongsToTransfer: Bool) async throws {
        try await Rig.serving { server, rig in
            let url = server.url("c", "size=300000", "dropfirst=100000")
            var kept = try await require(rig.fetch(url).kept)
            kept.mark = nil
            let address = try TransferURL(belongsToTransfer ? url : "http://h/c")
            rig.transport.discard(TransferID(1), kept, folder: rig.folder.path, addresses: [address])
            await rig.transport.shutDown()
            expect(rig.folder.names == (belongsToTransfer ? [] : ["c.part"]))
        }
    }

    @Test func `is not looked for behind a link in the place of a folder that a server has named`() async throws {
        try await Rig.serving { server, rig in
            let url = server.url("c", "size=300000", "dropfirst=100000")
            let kept = try await require(rig.fetch(url).kept)
            rig.folder.makeFolder("tree")
            rig.folder.link("tree/sub", to: rig.folder.path)
            for (parts, names) in [(2, ["c.part", "tree"]), (0, ["tree"])] {
                try rig.transport.discard(
                    TransferID(1), kept, folder: rig.folder.path + "/tree/sub", namedParts: parts,
                    addresses: [TransferURL(url)])
                _ = try await rig.fetch(server.url("end", "size=1"), id: 2)
                unlink(rig.folder.path + "/end")
                expectEqual(rig.folder.names, names)
            }
        }
    }
}
