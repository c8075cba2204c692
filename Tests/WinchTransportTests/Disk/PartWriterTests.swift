import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `A part writer` {
    private let folder: TemporaryFolder
    private let part: PartFile

    init() throws {
        folder = try TemporaryFolder()
        part = try PartFile.create(for: "f", in: TargetFolder.open(folder.path, parts: []))
    }

    private func append(_ bytes: [UInt8], to writer: PartWriter, isWhole: Bool = false) throws {
        let failure: TransferFailure? = bytes.withUnsafeBytes { bytes in
            do throws(TransferFailure) {
                try writer.append(bytes, isWhole: isWhole)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    @Test(arguments: [1, 1000, 128 << 10, 300_000])
    func `writes all bytes for any size of pieces`(piece: Int) throws {
        let content = FaultServer.content("f", piece == 1 ? 2000 : 1_000_000)
        let writer = PartWriter(part, at: 0)
        for start in stride(from: 0, to: content.count, by: piece) {
            try append(Array(content[start..<min(start + piece, content.count)]), to: writer)
            expectEqual(writer.position, Int64(min(start + piece, content.count)))
        }
        try writer.flush()
        expectEqual(part.written, Int64(content.count))
        try expectEqual(folder.bytes("f.part"), content)
    }

    @Test func `buffers small pieces and writes the last one of a body at once`() throws {
        let writer = PartWriter(part, at: 0)
        try append([1, 2, 3], to: writer)
        expectEqual(part.written, 0)
        try writer.flush()
        try append([4], to: writer, isWhole: true)
        expectEqual(part.written, 4)
    }

    /// The bytes that were lost are missing before those that come: these would be written in their place.
    @Test func `takes nothing behind buffered bytes that could not be written`() throws {
        let writer = PartWriter(part, at: 0)
        try append([1, 2, 3], to: writer)
        let (file, full) = (dup(part.file.number), open("/dev/full", O_RDWR))
        dup2(full, part.file.number)
        #expect(throws: TransferFailure.diskFull(folder: folder.path)) { try writer.flush() }
        dup2(file, part.file.number)
        close(file)
        close(full)
        #expect(throws: TransferFailure.diskFull(folder: folder.path)) { try append([4], to: writer) }
        #expect(throws: TransferFailure.diskFull(folder: folder.path)) { try writer.flush() }
        expectEqual(writer.position, 0)
        writer.move(to: 0)
        try append([1, 2, 3, 4], to: writer, isWhole: true)
        try expectEqual(folder.bytes("f.part"), [1, 2, 3, 4])
    }

    @Test func `drops buffered bytes when it moves to another offset`() throws {
        let writer = PartWriter(part, at: 0)
        try append([1, 2, 3, 4], to: writer)
        try writer.flush()
        try append([5, 6], to: writer)
        writer.move(to: 6)
        try append([9], to: writer)
        try writer.flush()
        expectEqual(writer.position, 7)
        try expectEqual(folder.bytes("f.part"), [1, 2, 3, 4, 0, 0, 9])
    }

    @Test func `starts a write-back every eight megabytes`() throws {
        let writer = PartWriter(part, at: 0)
        let megabyte = [UInt8](repeating: 0, count: 1 << 20)
        var ranges: [Range<Int64>] = []
        for _ in 0..<17 {
            try append(megabyte, to: writer)
            if let range = writer.takeWriteBack() { ranges.append(range) }
        }
        let eight: Int64 = 8 << 20
        expectEqual(ranges, [0..<eight, eight..<2 * eight])
    }
}
