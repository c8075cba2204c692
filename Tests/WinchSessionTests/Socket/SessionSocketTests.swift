import Glibc
import TestSupport
import Testing

@testable import WinchSession

@Suite(.serialized) struct `The place of a session` {
    private let folder: TemporaryFolder
    private let place: SessionSocket

    init() throws {
        folder = try TemporaryFolder()
        place = SessionSocket(folder: folder.path + "/deep/state")
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func `is made for this user alone, whatever the umask`() throws {
        let before = umask(0)
        defer { umask(before) }
        let listener = try place.listen()
        expectEqual(mode(place.folder), 0o700)
        expectEqual(mode(place.socketPath), 0o600)
        _ = try place.connect()
        withExtendedLifetime(listener) {}
    }

    @Test func `has one session at a time, and none after its end`() throws {
        #expect(throws: SessionFailure.notRunning(folder: place.folder)) { try place.connect() }
        var listener: SessionListener? = try place.listen()
        #expect(throws: SessionFailure.running(folder: place.folder)) { try place.listen() }
        withExtendedLifetime(listener) {}
        listener = nil
        #expect(throws: SessionFailure.notRunning(folder: place.folder)) { try place.connect() }
        _ = try place.listen()
    }

    @Test func `is free as soon as its session has ended`() throws {
        expect(place.waitUntilFree(until: .now))
        var listener: SessionListener? = try place.listen()
        expect(!place.waitUntilFree(until: .now))
        withExtendedLifetime(listener) {}
        listener = nil
        expect(place.waitUntilFree(until: .now))
        expect(access(place.socketPath, F_OK) != 0)
    }

    /// As after kill -9: the socket is there, and no process has the lock.
    @Test func `replaces the socket of a session that was killed`() throws {
        _ = try place.listen()
        let old = try UnixSocket.make()
        let entry = OpenFile(open(place.folder, O_RDONLY | O_DIRECTORY))
        expectEqual(UnixSocket.withAddress(of: entry.number, SessionSocket.socketName) { bind(old.number, $0, $1) }, 0)
        #expect(throws: SessionFailure.notRunning(folder: place.folder)) { try place.connect() }
        let listener = try place.listen()
        _ = try place.connect()
        withExtendedLifetime(listener) {}
    }

    @Test(arguments: [0o777, 0o770, 0o722] as [mode_t])
    func `is refused where others may write`(mode: mode_t) throws {
        _ = try place.listen()
        chmod(place.folder, mode)
        let refusal = SessionFailure.unsafe(
            path: place.folder, reason: "other users may write in the folder; run chmod go-w on it")
        #expect(throws: refusal) { try place.listen() }
        #expect(throws: refusal) { try place.connect() }
    }

    /// Others could put a folder of theirs in its place.
    @Test func `is refused below a folder in which others may write, unless it is sticky`() throws {
        _ = try place.listen()
        chmod(folder.path, 0o777)
        let refusal = SessionFailure.unsafe(
            path: place.folder,
            reason: "other users may write in \(folder.path), which has it; run chmod o-w,g-w on that")
        #expect(throws: refusal) { try place.listen() }
        #expect(throws: refusal) { try place.connect() }
        chmod(folder.path, 0o1777)
        _ = try place.listen()
        chmod(folder.path, 0o700)
    }

    @Test func `is refused where a link or a file has the name of the socket`() throws {
        _ = try place.listen()
        symlink("/tmp/elsewhere", place.socketPath)
        #expect(
            throws: SessionFailure.unsafe(path: place.socketPath, reason: "is not a socket of this user; remove it")
        ) {
            try place.listen()
        }
        #expect(
            throws: SessionFailure.unsafe(path: place.socketPath, reason: "is not a socket of this user; remove it")
        ) {
            try place.connect()
        }
        unlink(place.socketPath)
        close(creat(place.socketPath, 0o600))
        #expect(throws: SessionFailure.self) { try place.listen() }
        #expect(throws: SessionFailure.notRunning(folder: place.folder)) { try place.connect() }
    }

    /// An address of a Unix socket has room for 108 bytes.
    @Test func `may have a long path`() throws {
        let place = SessionSocket(folder: folder.path + "/" + String(repeating: "long", count: 50))
        let listener = try place.listen()
        _ = try place.connect()
        withExtendedLifetime(listener) {}
    }
}
