import FaultServer
import Foundation
import TestSupport
import Testing
import WinchModel

/// The simulation itself, with programs whose writes and syncs are known.
@Suite struct `A simulated power loss` {
    /// Runs a line of shell with the library preloaded, in a scratch folder, then cuts the power.
    private func outcome(of line: String, seed: UInt64) async throws -> (Scratch, bootID: String) {
        let scratch = try Scratch()
        var random = SplitMix64(seed: seed)
        let cut = PowerCut(scratch: scratch, library: Product.path("libPowerLoss.so"), folders: ["got"])
        try cut.start()
        let bootID = scratch.text("boot_id")
        let child = try scratch.run("sh", ["-c", line], environment: cut.environment)
        try await expectEqual(child.end(within: 30), 0, "\(scratch.text("output"))")
        try cut.happen(using: &random)
        return (scratch, bootID)
    }

    /// The different results of a line, with 24 seeds.
    private func outcomes(of line: String) async throws -> Set<String> {
        try await withThrowingTaskGroup(of: String.self) { group in
            for seed in 1...24 as ClosedRange<UInt64> {
                group.addTask {
                    let (scratch, _) = try await outcome(of: line, seed: seed)
                    let files = scratch.files(below: "got").sorted().map { name in
                        let text = scratch.text("got/" + name)
                        return name + "=" + (text.utf8.allSatisfy { $0 == 0 } ? "zeros \(text.utf8.count)" : text)
                    }
                    return files.joined(separator: " ")
                }
            }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
    }

    @Test func `may lose the name, the bytes or both of an unsynced file`() async throws {
        let seen = try await outcomes(of: "printf whole | dd of=got/a 2>/dev/null")
        expect(seen.isSuperset(of: ["", "a=zeros 0", "a=whole"]))
        expect(seen.allSatisfy { $0.isEmpty || $0.hasPrefix("a=zeros") || "a=whole".hasPrefix($0) })
    }

    @Test func `undoes an unsynced rename and restores the file that it replaced`() async throws {
        let line = """
            printf old | dd of=got/a conv=fsync 2>/dev/null; printf new | dd of=got/b conv=fsync 2>/dev/null
            mv got/b got/a
            """
        try await expectEqual(outcomes(of: line), ["a=old b=new", "a=new"])
        try await expectEqual(outcomes(of: line + "\nsync -f got/a"), ["a=new"])
    }

    @Test func `restores a file whose removal was not synced`() async throws {
        let line = "printf old | dd of=got/a conv=fsync 2>/dev/null; rm got/a"
        try await expectEqual(outcomes(of: line), ["a=old", ""])
    }

    @Test func `cuts off an unsynced end or fills it with zeros`() async throws {
        let seen = try await outcomes(
            of: """
                dd if=/dev/zero bs=4096 count=2 2>/dev/null | tr '\\0' x | dd of=got/a conv=fsync 2>/dev/null
                dd if=/dev/zero bs=4096 count=6 2>/dev/null | tr '\\0' y >>got/a
                """)
        let safe = String(repeating: "x", count: 8192)
        expect(seen.allSatisfy { $0.hasPrefix("a=" + safe) })
        expect(seen.contains("a=" + safe))
        expect(seen.contains { $0.hasSuffix("y") })
        expect(seen.contains { $0.contains("\0") })
    }

    @Test func `changes the boot ID`() async throws {
        let (scratch, bootID) = try await outcome(of: "cat /proc/sys/kernel/random/boot_id", seed: 1)
        expectEqual(scratch.text("output"), bootID)
        expect(scratch.text("boot_id") != bootID)
    }
}

/// By the journal of the library that simulates power losses.
@Suite struct `A finished file` {
    /// Before that a power loss may bring the part's name back, and the next run knows the part by its attributes.
    @Test(arguments: ["200K", "3M"])
    func `counts as a part until its name is on the disk`(size: String) async throws {
        try await FaultServer.serving { server in
            let scratch = try Scratch()
            let cut = PowerCut(scratch: scratch, library: Product.path("libPowerLoss.so"), folders: ["got"])
            try cut.start()
            // Slow enough for the file to be begun before its last byte is there.
            let url = server.url("x") + "?size=\(size)&rate=\(size)"
            let child = try scratch.run(
                Product.path("winch"), [url, "-d", "got", "--output", "quiet", "--ephemeral"],
                environment: cut.environment)
            try await expectEqual(child.end(within: 30), 0, "\(scratch.text("output"))")
            let lines = scratch.text("journal/journal").split(separator: "\n").map(String.init)
            let named = try require(lines.lastIndex { $0.hasPrefix("R\t\(scratch["got/x.part"])\t") })
            let synced = try require(lines[named...].firstIndex(of: "M"))
            let settled = try require(lines.firstIndex { $0.hasSuffix("/x\tuser.winch.url") })
            expectMore(settled, than: synced, "\(lines)")
        }
    }
}
