import FaultServer
import Foundation
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A released transport` {
    /// Its handles were freed on the releasing thread while libcurl closed them on its own thread: sometimes a crash.
    @Test func `closes its open connections`() async throws {
        try await FaultServer.serving { server in
            for round in 0..<20 {
                let rig = try Rig()
                for id in 1...8 { try rig.start(server.url("\(round)-\(id)") + "?size=1M&stall=1", id: id) }
                _ = await rig.events(of: 8) { if case .opened = $0 { true } else { false } }
            }
            for _ in 0..<3000 where server.openConnections > 0 { try await Task.sleep(for: .milliseconds(20)) }
            expectEqual(server.openConnections, 0)
            expectAtLeast(server.totalConnections, 20)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `An upload that cannot begin` {
    @Test func `keeps what an earlier attempt has left at its server`() async throws {
        let rig = try Rig()
        let left = ResumePoint(
            upload: UploadPlace(name: ".x.part", source: nil), have: ByteCount(100), total: ByteCount(200), name: "x")
        let order = UploadOrder(.file(rig.folder.path + "/gone"))
        try rig.start("ftp://127.0.0.1:1/x", resume: left, upload: order)
        guard case .failed(.readWrite, _, let kept)? = await rig.settled().last else {
            Issue.record("not failed")
            return
        }
        expectEqual(kept, left)
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A transport that ends` {
    @Test func `does not wait for ever for a thread that hangs`() async throws {
        let (hangs, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let transport = try TransportThreads(count: 1, files: FileServices()) { _ in
            hangs.signal()
            goesOn.wait()
        }
        transport.open(
            ConnectionRequest(
                connection: ConnectionID(transfer: TransferID(1)), url: try TransferURL("http://127.0.0.1:1/x"),
                folder: "/proc/none", name: nil, settings: Shared(TransferSettings())))
        await withCheckedContinuation { ended in
            DispatchQueue.global().async {
                hangs.wait()
                ended.resume()
            }
        }
        await transport.shutDown(within: .milliseconds(50))
        for _ in 0..<100 { goesOn.signal() }
        expect(transport.end(within: .seconds(60)))
    }

    @Test func `lets go of its folders a while after the last transfer`() async throws {
        try await Rig.serving { server, rig in
            func isHeld() throws -> Bool {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
                        == rig.folder.path
                }
            }
            try rig.start(server.url("f", "size=10"))
            await expectEqual(rig.settled().saved, "f")
            for _ in 0..<3000 where try isHeld() { try await Task.sleep(for: .milliseconds(20)) }
            try expect(!isHeld())
        }
    }

    @Test func `reports a file whose connections have ended under the one that was last`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig(threads: 1)
            let connections = (1...2).map { ConnectionID(transfer: TransferID(1), number: $0) }
            let url = server.url("f", "size=1000000", "etag=v", "rate=100K")
            for connection in connections {
                try rig.start(url, attempt: connection.number, isFurther: connection.number > 1)
                _ = await rig.events { if case .moved(let bytes, _) = $0 { !bytes.isEmpty } else { false } }
                rig.transport.retire(connection, atOnce: true)
                _ = await rig.events { $0 == .ended }
            }
            await rig.transport.shutDown()
            for await report in rig.reports {
                guard case .stopped(let kept) = report.event else { continue }
                expectEqual(report.connection, connections[1])
                expectMore(kept?.have.bytes ?? 0, than: 0)
                break
            }
        }
    }
}
