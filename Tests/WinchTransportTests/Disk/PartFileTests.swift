import FaultServer
import Glibc
import TestSupport
import Testing
import WinchSystem
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `A part left by another run` {
    private let size: Int64 = 1_000_000

    /// A run that ends with 400,000 bytes in `NAME.part`.
    private func leavePart(_ url: String, name: String? = nil) async throws -> (TemporaryFolder, ResumePoint) {
        let rig = try Rig()
        let kept = try await require(rig.fetch(url, name: name).kept)
        expectEqual(kept.have.bytes, 400_000)
        await rig.transport.shutDown()
        return (rig.folder, kept)
    }

    /// A run that is killed from now on leaves a part that the next one recognises.
    @Test(arguments: ["", "noetag", "noetag&chunked"])
    func `has its attributes before its first byte`(options: String) async throws {
        try await Rig.serving { server, rig in
            let url = server.url("x") + "?size=1M&stall=1&" + options
            try rig.start(url)
            _ = await rig.events { if case .opened = $0 { true } else { false } }
            expect((0...1).contains(rig.folder.size("x.part")))
            expectEqual(rig.folder.attribute("user.winch.url", of: "x.part"), url)
            expectEqual(rig.folder.attribute("user.winch.durable", of: "x.part")?.hasSuffix(":0"), true)
            let total = rig.folder.attribute("user.winch.total", of: "x.part")
            expect(total == (options.contains("chunked") ? nil : "1048576"))
            let hasValidator = rig.folder.attribute("user.winch.validator", of: "x.part") != nil
            expectEqual(hasValidator, options.isEmpty)
        }
    }

    @Test(arguments: ["noetag&chunked", "noetag&nolength"])
    func `is overwritten in place when its bytes cannot be validated`(options: String) async throws {
        try await FaultServer.serving { server in
            let url = server.url("j") + "?size=1M&" + options
            let first = try Rig()
            try first.start(url + "&stall=300000")
            _ = await first.events { $0.position == 300_000 }
            await first.transport.shutDown()
            expectEqual(first.folder.names, ["j.part"])
            first.folder.set("user.winch.url", to: url, of: "j.part")
            let second = try Rig(folder: first.folder)
            try await expectEqual(second.fetch(url).saved, "j")
            expectEqual(first.folder.names, ["j"])
            try expectEqual(first.folder.bytes("j"), FaultServer.content("j", 1 << 20))
        }
    }

    @Test func `is found under the name that the server sends`() async throws {
        try await FaultServer.serving { server in
            let url = server.url("d", "size=\(size)", "dropfirst=400000", "disposition=attachment; filename=real.bin")
            let (folder, kept) = try await leavePart(url)
            expectEqual(kept.partPath, "real.bin.part")
            let events = try await Rig(folder: folder).fetch(url)
            expectEqual(events.openings.map(\.offset.bytes), [400_000])
            expectEqual(events.saved, "real.bin")
            expectEqual(server.requests.map(\.range), [nil, nil, "bytes=395904-"])
            expectEqual(folder.names, ["real.bin"])
            try expectEqual(folder.bytes("real.bin"), FaultServer.content("d", size))
        }
    }

    /// The run has ended in order, so that its note says how many bytes it left.
    @Test(arguments: ["etag=v", "noetag"], [false, true])
    func `is gone on with from where that run ended when another program has added to it`(
        options: String, isKnown: Bool
    ) async throws {
        try await FaultServer.serving { server in
            let url = server.url("g") + "?size=\(size)&dropfirst=400000&" + options
            let (folder, kept) = try await leavePart(url)
            folder.append(to: "g.part", [UInt8](repeating: 0, count: 70_000))
            let events = try await Rig(folder: folder).fetch(url, resume: isKnown ? kept : nil)
            expectEqual(events.openings.map(\.offset.bytes), [400_000])
            expectEqual(events.openings.map(\.startedOver), [nil])
            expectEqual(server.requests.last?.range, "bytes=395904-")
            try expectEqual(folder.bytes("g"), FaultServer.content("g", size))
        }
    }

    /// A killed run leaves no note of how many bytes it wrote: its last ones are compared, also with a strong ETag. Also in the
    /// attempt after one that has reached no server.
    @Test(arguments: [false, true], [false, true])
    func `of a killed run is started over when its last bytes are not the server's`(
        isSpoiled: Bool, isLater: Bool
    ) async throws {
        try await FaultServer.serving { server in
            let url = server.url("k", "size=\(size)", "dropfirst=400000", "etag=v")
            let (folder, _) = try await leavePart(url)
            folder.set("user.winch.durable", to: "\(BootID.current ?? "-"):0", of: "k.part")
            if isSpoiled { folder.append(to: "k.part", [UInt8](repeating: 0, count: 70_000)) }
            let rig = try Rig(folder: folder)
            var kept: ResumePoint?
            if isLater {
                folder.set("user.winch.url", to: "http://127.0.0.1:1/k", of: "k.part")
                kept = try await require(rig.fetch("http://127.0.0.1:1/k").kept)
                expectNil(kept?.mark)
                folder.set("user.winch.url", to: url, of: "k.part")
            }
            let events = try await rig.fetch(url, resume: kept)
            expectEqual(events.openings.map(\.startedOver), [isSpoiled ? .fileChanged : nil])
            expectEqual(events.openings.map(\.offset.bytes), [isSpoiled ? 0 : 400_000])
            try expectEqual(folder.bytes("k"), FaultServer.content("k", size))
        }
    }

    /// The ledger is written once a second; the attributes were written together with the bytes.
    @Test func `has its file's length and its attributes' version rather than those in the ledger`() async throws {
        try await FaultServer.serving { server in
            let url = server.url("l", "size=\(size)", "dropfirst=400000", "etag=new")
            var (folder, kept) = try await leavePart(url)
            kept.onDisk = ByteRanges(0..<1000)
            kept.validator = .strongETag("\"old\"")
            let events = try await Rig(folder: folder).fetch(url, resume: kept)
            expectEqual(server.requests.last?.ifRange, "\"new\"")
            expectEqual(events.openings.map(\.offset.bytes), [400_000])
            expectEqual(events.openings.map(\.startedOver), [nil])
            try expectEqual(folder.bytes("l"), FaultServer.content("l", size))
        }
    }

    /// Bytes that were not synced before a reboot may have any value.
    @Test(arguments: [("another-boot:250000", 250_000), (nil, 0), ("nonsense", 0), ("another-boot:-5", 0)])
    func `is trusted after a restart of the system as far as it was synced`(note: String?, trusted: Int64) async throws
    {
        try await FaultServer.serving { server in
            for isKnown in [false, true] {
                server.forget()
                let url = server.url("r", "size=\(size)", "dropfirst=400000")
                let (folder, kept) = try await leavePart(url)
                folder.set("user.winch.durable", to: note, of: "r.part")
                let noise = [UInt8](repeating: 0, count: 100)
                var spoiled = try folder.bytes("r.part")
                spoiled.replaceSubrange(300_000..<300_100, with: noise)
                folder.overwrite("r.part", spoiled)
                let events = try await Rig(folder: folder).fetch(url, resume: isKnown ? kept : nil)
                expectEqual(events.openings.map(\.offset.bytes), [trusted])
                expectEqual(events.saved, "r")
                try expectEqual(folder.bytes("r"), FaultServer.content("r", size))
            }
        }
    }

    @Test func `from before a reboot is marked with the new boot once it is resumed`() async throws {
        try await FaultServer.serving { server in
            let url = server.url("w", "size=\(size)", "dropfirst=400000", "stall=300000")
            let (folder, _) = try await leavePart(server.url("w", "size=\(size)", "dropfirst=400000"))
            let boot = try require(folder.attribute("user.winch.durable", of: "w.part")?.split(separator: ":").first)
            folder.set("user.winch.durable", to: "another-boot:250000", of: "w.part")
            folder.set("user.winch.url", to: url, of: "w.part")
            let rig = try Rig(folder: folder)
            try rig.start(url)
            _ = await rig.events { if case .opened = $0 { true } else { false } }
            expectEqual(folder.attribute("user.winch.durable", of: "w.part"), "\(boot):250000")
        }
    }

    /// The server may redirect to another location than before.
    @Test func `is requested from the original URL, wherever it redirects now`() async throws {
        try await FaultServer.serving { server in
            let signed = server.url("blob", "size=\(size)", "dropfirst=400000", "etag=v")
            let url = server.url("link", "redirectto=\(signed)")
            let (folder, kept) = try await leavePart(url, name: "file")
            let events = try await Rig(folder: folder).fetch(url, name: "file", resume: kept)
            expectEqual(events.openings.map(\.offset.bytes), [400_000])
            expectEqual(events.saved, "file")
            expectEqual(server.requests.map(\.path), ["/f/link", "/f/blob", "/f/link", "/f/blob"])
            expectEqual(server.requests.map(\.status), [302, 200, 302, 206])
        }
    }

    @Test(
        arguments: [
            ("etag=v", true), ("etag=other", true), ("noetag", true), ("seed=5&etag=v", false), ("size=999999", false),
        ] as [(String, Bool)])
    func `is resumed from another URL if the file there is the same`(options: String, isSame: Bool) async throws {
        try await FaultServer.serving { server in
            let (folder, kept) = try await leavePart(
                server.url("n", "size=\(size)", "dropfirst=400000", "etag=v"), name: "file")
            let url = server.url("elsewhere") + "?size=\(size)&seed=\(SeededContent.seed(of: "n"))&" + options
            let events = try await Rig(folder: folder).fetch(url, name: "file", resume: kept)
            expect(events.openings.map(\.offset.bytes) == [isSame ? 400_000 : 0])
            expect(events.openings.map(\.startedOver) == [isSame ? nil : .fileChanged])
            expectEqual(events.saved, "file")
            let content = options.hasPrefix("seed") ? SeededContent(seed: 5) : SeededContent(name: "n")
            let expected = content.bytes(in: 0..<(options == "size=999999" ? 999_999 : size))
            try expectEqual(folder.bytes("file"), expected)
        }
    }

    /// Twenty times as fast as the real clock: ten seconds in half a second.
    @Test func `is synced every ten seconds, and its attributes record it`() async throws {
        try await FaultServer.serving { server in
            let start = SystemClock.moment()
            let rig = try Rig(clock: { start + (SystemClock.moment() - start) * 20 })
            // An hour on this clock: half a second without bytes is no stall.
            try rig.start(server.url("c", "size=60M", "rate=1M")) { $0.stallTimeout = .seconds(3600) }
            let events = await rig.events { if case .durable = $0 { true } else { $0.endsAttempt } }
            guard case .durable(let synced) = events.last else {
                Issue.record("ended without a sync: \(String(describing: events.last))")
                return
            }
            expectMore(synced.prefixEnd, than: 0)
            expectAtLeast((events.counts.last ?? 0), synced.prefixEnd)
            let note = rig.folder.attribute("user.winch.durable", of: "c.part")
            // It may have been synced once more by now.
            let noted = note?.split(separator: ":").last.flatMap { Int64($0) }
            expectAtLeast(noted ?? 0, synced.prefixEnd)
            rig.transport.close(ConnectionID(transfer: TransferID(1)), discarding: false)
            let kept = try await require(rig.settled().kept)
            expect(synced.isSubset(of: kept.durable))
            expect(kept.durable.isSubset(of: kept.onDisk))
        }
    }

    /// The synced bytes are no longer part of the file.
    @Test func `does not count as synced once it is started over`() async throws {
        try await FaultServer.serving { server in
            let url = server.url("q", "size=\(size)", "dropfirst=400000", "change=1")
            let (folder, kept) = try await leavePart(url)
            let boot = try require(folder.attribute("user.winch.durable", of: "q.part")?.split(separator: ":").first)
            folder.set("user.winch.durable", to: "\(boot):400000", of: "q.part")
            let rig = try Rig(folder: folder)
            try rig.start(url + "&stall=200000", resume: kept)
            _ = await rig.events { if case .opened = $0 { true } else { false } }
            expectEqual(folder.attribute("user.winch.durable", of: "q.part"), "\(boot):0")
        }
    }
}

extension TemporaryFolder {
    /// As another program does, which knows nothing of the attributes.
    fileprivate func append(to name: String, _ bytes: [UInt8]) {
        let file = open(path + "/" + name, O_WRONLY | O_APPEND)
        _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        close(file)
    }

    /// Overwrites bytes without replacing the file.
    fileprivate func overwrite(_ name: String, _ bytes: [UInt8]) {
        let file = open(path + "/" + name, O_WRONLY)
        _ = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
        close(file)
    }
}
