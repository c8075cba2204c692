import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `The hash of a part` {
    @Test func `follows a growing file in steps or at the end`() throws {
        let folder = try TemporaryFolder()
        let block = (0..<99_991).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        var content: [UInt8] = []
        while content.count < 20_000_000 { content += block }
        folder.write("f", content)
        let file = Descriptor(open(folder.path + "/f", O_RDONLY))
        let empty = try require(Checksum("md5=" + String(repeating: "0", count: 32)))
        func found(_ turn: (PartHasher) -> Void) -> String? {
            let hasher = PartHasher([ExpectedChecksum(empty)], file: file, path: "f")
            turn(hasher)
            do throws(TransferFailure) {
                try hasher.complete(size: 20_000_000)
                return nil
            } catch {
                if case .checksum(_, _, let got, _) = error { return got }
                return "\(error)"
            }
        }
        let atOnce = try require(found { _ in })
        let byTurns = found { hasher in
            expect(hasher.extend(to: 10_000_000))
            expect(!hasher.extend(to: 12_000_000))
            expect(hasher.advance())
            expect(!hasher.advance())
            expect(hasher.extend(to: 15_000_000))
            hasher.giveUp()
            expect(!hasher.advance())
            expect(!hasher.extend(to: 16_000_000))
        }
        expectEqual(byTurns, atOnce)
        expectEqual(found { _ = $0.extend(to: 30_000_000) }, atOnce)
    }

    @Test func `is given up between two slices when it is not wanted any more`() throws {
        let folder = try TemporaryFolder()
        folder.write("f", [])
        try require(truncate(folder.path + "/f", 20_000_000) == 0)
        let file = Descriptor(open(folder.path + "/f", O_RDONLY))
        let wrong = try require(Checksum("md5=" + String(repeating: "0", count: 32)))
        let hasher = PartHasher([ExpectedChecksum(wrong)], file: file, path: "f")
        var hashed: [Int64] = []
        let isWhole = try hasher.complete(
            size: 20_000_000, isWanted: { hashed.isEmpty }, progress: { hashed.append($0) })
        expect(!isWhole)
        expectEqual(hashed, [8 << 20])
    }

    @Test func `of a file that is too short reports the fault`() throws {
        let folder = try TemporaryFolder()
        folder.write("f", [1, 2, 3])
        let file = Descriptor(open(folder.path + "/f", O_RDONLY))
        let empty = try require(Checksum("md5=" + String(repeating: "0", count: 32)))
        let hasher = PartHasher([ExpectedChecksum(empty)], file: file, path: "f")
        #expect(throws: TransferFailure.readWrite("f", reason: "the file on disk is shorter than what was received")) {
            try hasher.complete(size: 4)
        }
    }
}
