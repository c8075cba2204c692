import FaultServer
import Foundation
import TestSupport
import Testing

@Suite struct `A run of the program` {
    @Test func `downloads every file completely and under the right name`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let sizes: [String: Int64] = [
                "one.bin": 1, "page.html": 4096, "odd.dat": 1_000_003, "large.iso": 6_000_000, "none.txt": 0,
            ]
            let batch = sizes.map { server.url($0, "size=\($1)") }.joined(separator: "\n")
            try folder.write(batch, to: "urls.txt")
            // Short options may be joined to their values.
            let result = try await Program.run("-iurls.txt", "-dgot", "-j16", "--output=quiet", in: folder)
            expectEqual(result.code, 0, "\(result.errors)")
            try expectEqual(folder.names("got"), sizes.keys.sorted())
            for (name, size) in sizes {
                try expectEqual(folder.sha256("got/\(name)"), SeededContent(name: name).sha256(size: size), "\(name)")
            }
        }
    }
}
