import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

/// The other process is a child of the test: a lock of this process would count as one of its own parts. The
/// end-to-end tests check which process is named: here it is the tool that made the lock.
@Suite struct `A part locked by another process` {
    /// Nor if an earlier run of the same queue began it.
    @Test(
        arguments: [nil, ResumePoint(partPath: "a.bin.part", targetPath: "a.bin", have: ByteCount(bytes: 3))]
            as [ResumePoint?])
    func `is not changed, and the failure says so`(resume: ResumePoint?) async throws {
        try await Rig.serving { server, rig in
            rig.folder.write("a.bin.part", [1, 2, 3])
            let holder = try Holder(of: rig.folder.path + "/a.bin.part")
            defer { holder.end() }
            let events = try await rig.fetch(server.url("a.bin", "size=300000"), resume: resume)
            expect(events.isInUse(rig.folder.path + "/a.bin"), "\(events)")
            try expectEqual(rig.folder.bytes("a.bin.part"), [1, 2, 3])
            expect(resume != nil || server.requests.isEmpty)
        }
    }

    @Test func `is resumed when that process has ended`() async throws {
        try await Rig.serving { server, rig in
            rig.folder.write("a.bin.part", [1, 2, 3])
            let holder = try Holder(of: rig.folder.path + "/a.bin.part")
            holder.end()
            let events = try await rig.fetch(server.url("a.bin", "size=300000"))
            expectEqual(events.saved, "a.bin")
        }
    }
}

/// A process that has a file open and locked.
private struct Holder {
    private let pid: pid_t

    init(of path: String) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw TransferFailure.other("no pipe") }
        defer { for end in ends where end >= 0 { close(end) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        // `flock` locks the file that the shell has open as 9; the shell becomes the process that keeps it open.
        let line = "exec 9<>\"$1\"; flock -n 9 && echo locked && exec sleep 60"
        let texts: [String] = ["/bin/sh", "-c", line, "sh", path]
        let words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        defer { words.forEach { free($0) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, "/bin/sh", &actions, nil, words + [nil], environ) == 0 else {
            throw TransferFailure.other("no shell")
        }
        close(ends[1])
        ends[1] = -1
        var word = [UInt8](repeating: 0, count: 16)
        guard read(ends[0], &word, word.count) > 0 else { throw TransferFailure.other("no lock") }
        self.pid = pid
    }

    func end() {
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }
}

extension [TransportEvent] {
    fileprivate func isInUse(_ path: String) -> Bool {
        if case .inUse(path, _)? = failure { true } else { false }
    }
}

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
