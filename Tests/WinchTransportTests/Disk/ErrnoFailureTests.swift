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
}
