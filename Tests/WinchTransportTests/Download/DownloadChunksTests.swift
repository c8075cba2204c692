import FaultServer
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `The ranges of a file over several connections` {
    private static let size: Int64 = 1 << 20
    private static let second = ConnectionID(transfer: TransferID(1), number: 2)

    /// A file that comes at 256 KiB a second over each connection, of which two have begun.
    private func begin(
        _ server: FaultServer, _ rig: Rig, of other: String = "f", at rate: String = "256K",
        asking least: Int64 = 64 << 10, manner: String = "etag=v"
    )
        async throws
    {
        try start(rig, server.url("f", "size=1M", manner, "rate=256K"), 1, least)
        // For half a second, so that its rate is known.
        _ = await rig.events { $0.position ?? 0 > 128 << 10 }
        try start(rig, server.url(other, other == "f" ? "size=1M" : "size=2M", manner, "rate=\(rate)"), 2, least)
    }

    private func start(_ rig: Rig, _ url: String, _ number: Int, _ least: Int64) throws {
        try rig.start(url, attempt: number, isFurther: number > 1) { $0.minSplitSize = ByteCount(least) }
    }

    private func ranges(_ server: FaultServer) -> [String?] { server.requests(for: "f").map(\.range) }

    @Test func `are taken one after the other by a connection, without an order`() async throws {
        try await Rig.serving { server, rig in
            try await begin(server, rig, at: "2M")
            let events = await rig.settled()
            expectEqual(events.saved, "f")
            try expectEqual(rig.folder.bytes("f"), FaultServer.content("f", Self.size))
            expectMore(ranges(server).count, than: 2)
            // The other one brings the last bytes.
            expectAtMost(events.count { $0 == .ended }, 1)
        }
    }

    @Test func `are not asked for where none is worth a request`() async throws {
        try await Rig.serving { server, rig in
            try await begin(server, rig, asking: Self.size)
            expectEqual(await rig.events { $0 == .ended }.contains(.requested), false)
            await expectEqual(rig.settled().saved, "f")
            expectEqual(ranges(server).count, 1)
        }
    }

    @Test(arguments: [false, true])
    func `are left to the others by a connection that is given back`(atOnce: Bool) async throws {
        try await Rig.serving { server, rig in
            try await begin(server, rig)
            _ = await rig.events {
                if case .moved(let bytes, let chunk) = $0 { bytes.isEmpty && chunk.lowerBound > 0 } else { false }
            }
            rig.transport.retire(Self.second, atOnce: atOnce)
            _ = await rig.events { $0 == .ended }
            await expectEqual(rig.settled().saved, "f")
            try expectEqual(rig.folder.bytes("f"), FaultServer.content("f", Self.size))
        }
    }

    @Test(arguments: [(404, .httpStatus(404)), (204, nil), (304, nil), (302, nil)] as [(Int, TransferFailure?)])
    func `are brought by the first connection when a further one is refused`(
        status: Int, failure: TransferFailure?
    ) async throws {
        try await Rig.serving { server, rig in
            try await begin(server, rig, manner: "rangestatus=\(status)")
            let refused = await rig.events { if case .failed = $0 { true } else { false } }
            expectEqual(
                refused.failure, failure ?? .badResponse("status \(status) instead of a part of the file"))
            rig.transport.askNoMore(TransferID(1))
            await expectEqual(rig.settled().saved, "f")
            expectEqual(ranges(server).count, 2)
            try expectEqual(rig.folder.bytes("f"), FaultServer.content("f", Self.size))
        }
    }

    @Test func `are brought by the running connection when no more is to be asked for`() async throws {
        try await Rig.serving { server, rig in
            try await begin(server, rig, of: "other")
            // It is of another file.
            _ = await rig.events { if case .failed = $0 { true } else { false } }
            rig.transport.askNoMore(TransferID(1))
            await expectEqual(rig.settled().saved, "f")
            expectEqual(ranges(server), [nil])
        }
    }
}
