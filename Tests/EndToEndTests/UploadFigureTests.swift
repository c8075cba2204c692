import FaultServer
import Foundation
import TestSupport
import Testing
import WinchModel

/// `make torture` has more uploads, of random sizes to servers that read in random ways.
@Suite struct `The figures of an upload` {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    fileprivate struct Upload {
        var size = 12_000_000
        /// `PUT`, `POST` or `tus`.
        var method = "PUT"
        /// Of the server.
        var options = ["rate=6M", "window=256K", "latency=0.5"]
        /// Seconds from the end of the body to the answer.
        var latency = 0.5

        static let usual = Upload()
    }

    @Test func `are what its server has read, and all of it only after the answer`() async throws {
        guard let count = Runs.count(of: "UPLOADS") else { return try await check(.usual, "") }
        let seed = Runs.firstSeed()
        for own in seed..<seed + UInt64(count) { try await check(Upload(seed: own), "WINCH_SEED=\(own)") }
    }

    private func check(_ upload: Upload, _ seed: String) async throws {
        try folder.writeRandom(upload.size, to: "x")
        let isTus = upload.method == "tus"
        let how = isTus ? ["--resumable", "tus"] : ["--method", upload.method]
        try await FaultServer.serving { server in
            let url = server.origin + (isTus ? "/tus?" : "/up/x?") + upload.options.joined(separator: "&")
            let options = ["--ephemeral", "--output", "json", "--retry-wait", "0.1"]
            let result = try await Program(["put", "x", url] + how + options, in: folder).wait(seconds: 180)
            let words = "\(seed) \(upload): \(result.output)"
            expectEqual(result.code, 0, "\(words)")
            // What had been read in all requests of tus, or in the last one: a PUT begins anew.
            let marks = server.uploads.flatMap { request in
                let offset = isTus ? request.request.header("Upload-Offset").flatMap { Int64($0) } ?? 0 : 0
                return request.marks.map { (time: $0.time, bytes: $0.bytes + offset) }
            }
            for event in try result.events() where event["event"] as? String != "retrying" {
                guard let sent = event["sent"] as? Int, let time = event["time"] as? Double else { continue }
                // Times are rounded to milliseconds.
                let read = marks.last { $0.time <= Int64((time + 0.001) * 1e9) }?.bytes ?? 0
                expectAtMost(Int64(sent), read + 4 << 20, "\(sent) at \(time), read \(read); \(words)")
                if event["event"] as? String == "finished" {
                    let end = Double(try require(marks.last).time) / 1e9
                    expectAtLeast(time + 0.001, end + upload.latency * 0.9, "\(words)")
                } else {
                    expect(event["percent"] as? Int != 100, "\(words)")
                }
            }
        }
    }
}

extension `The figures of an upload`.Upload {
    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        size = .random(in: 4 << 20...24 << 20, using: &random)
        method = ["PUT", "PUT", "POST", "tus"].randomElement(using: &random) ?? "PUT"
        let rate = "rate=\([4, 16, 64].randomElement(using: &random) ?? 4)M"
        let drop = "dropfirst=\(Int.random(in: 1...8, using: &random))M"
        // Read quickly first: the system enlarges the window of such a connection.
        let stall = "stallfirst=\(Int.random(in: 1...12, using: &random))M"
        let behaviours = [
            [rate], [stall, "stallfor=1"], [rate, drop], [rate, drop, "reset"], [rate, "window=64K"],
            [rate, "window=1M"], [rate, "latency=1"],
        ]
        options = behaviours.randomElement(using: &random) ?? []
        latency = options.contains("latency=1") ? 1 : 0
        // What may have been received is not sent again.
        if method == "POST" { options.removeAll { $0 == drop || $0 == "reset" } }
    }
}
