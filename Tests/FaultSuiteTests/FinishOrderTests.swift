import FaultServer
import Foundation
import Testing

@testable import FaultSuite

/// By the journal of the library that simulates power losses.
@Suite struct `A finished file` {
    /// Before that a power loss may bring the part's name back, and the next run knows the part by its attributes.
    @Test(arguments: ["200K", "3M"])
    func `counts as a part until its name is on the disk`(size: String) async throws {
        try await FaultServer.serving { server in
            let scratch = try Scratch()
            try scratch.write("a boot\n", to: "boot_id")
            try PowerCut(roots: [scratch["got"]], journal: scratch["journal"]).start()
            let environment = [
                "PATH": "/usr/bin:/bin", "HOME": scratch["home"], "LD_PRELOAD": Products.path("libPowerLoss.so"),
                "POWER_LOSS_ROOTS": scratch["got"], "POWER_LOSS_JOURNAL": scratch["journal"],
                "POWER_LOSS_BOOT_ID": scratch["boot_id"],
            ]
            // Slow enough for the file to be begun before its last byte is there.
            let url = server.url("x") + "?size=\(size)&rate=\(size)"
            let child = try Child(
                Products.path("winch"), [url, "-d", "got", "--output", "quiet", "--ephemeral"], in: scratch.path,
                environment: environment, streams: .together(scratch["output"]))
            #expect(try await child.end(within: 30) == 0, "\(scratch.text("output"))")
            let lines = scratch.text("journal/journal").split(separator: "\n").map(String.init)
            let named = try #require(lines.lastIndex { $0.hasPrefix("R\t\(scratch["got/x.part"])\t") })
            let synced = try #require(lines[named...].firstIndex(of: "M"))
            let settled = try #require(lines.firstIndex { $0.hasSuffix("/x\tuser.winch.url") })
            #expect(settled > synced, "\(lines)")
        }
    }
}
