import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `A disk failure` {
    @Test(
        arguments: [
            (ENOSPC, .diskFull(folder: "/d")),
            (EDQUOT, .readWrite("d/f", reason: "disk quota exceeded; make room, then retry")),
            (EIO, .readWrite("d/f", reason: "input/output error; check the disk")),
            (EROFS, .readWrite("d/f", reason: "the file system is read-only")),
            (EFBIG, .readWrite("d/f", reason: "larger than the file system or ulimit -f allows")),
            (EISDIR, .readWrite("d/f", reason: "there is a folder where a file is needed")),
            (ESTALE, .readWrite("d/f", reason: "stale file handle (network file system); retry")),
        ] as [(Int32, TransferFailure)])
    func `during a write has a message`(code: Int32, failure: TransferFailure) {
        expectEqual(ErrnoFailure.file(code, path: "d/f", folder: "/d"), failure)
    }

    /// As a file system that some programs serve; a pipe says the same.
    @Test func `is none of a file that nothing can be waited for`() {
        var ends: [Int32] = [0, 0]
        expectEqual(pipe(&ends), 0)
        let (reading, writing) = (Descriptor(ends[0]), Descriptor(ends[1]))
        expectEqual([reading.sync(), writing.syncBytes()], [0, 0])
    }
}
