import TestSupport
import Testing

@testable import WinchTransport

@Suite struct `The kernel's lock table` {
    private let table = LockTable(
        """
        1: POSIX  ADVISORY  WRITE 11 08:01:77 0 EOF
        2: FLOCK  ADVISORY  WRITE 22 08:02:77 0 EOF
        2: -> FLOCK  ADVISORY  WRITE 33 08:01:77 0 EOF
        3: FLOCK  ADVISORY  WRITE 44 08:01:78 0 EOF
        4: FLOCK  ADVISORY  WRITE 0 08:01:79 0 EOF
        5: FLOCK  ADVISORY  WRITE 55 00:2a:80 0 EOF
        6: FLOCK  ADVISORY  WRITE 66 103:02:81 0 EOF
        nonsense
        """)

    @Test(
        arguments: [
            (0x0801, 77, nil), (0x0802, 77, 22), (0x0801, 78, 44), (0x0802, 78, nil), (0x0801, 79, nil),
            (0x002A, 80, 55), (0x10302, 81, 66),
            // A file system without a device of its own may be listed under another number.
            (0x0021, 80, 55), (0x0021, 77, 22), (0x0021, 99, nil),
        ] as [(UInt64, UInt64, Int32?)])
    func `gives the process for a device and inode number`(device: UInt64, node: UInt64, pid: Int32?) {
        expectEqual(table.holder(device: device, node: node), pid)
    }
}
