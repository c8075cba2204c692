import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `The source of an upload, once it is open` {
    private let folder: TemporaryFolder
    private let streams = OpenStreams()

    init() throws { folder = try TemporaryFolder() }

    private func source(_ content: UploadOrder.Content) throws -> UploadSource {
        try UploadSource(UploadOrder(content), of: TransferID(1), streams, whenReadable: {})
    }

    /// All bytes, once they are there.
    private func content(of source: UploadSource) -> [UInt8] {
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
        while true {
            let piece = buffer.withUnsafeMutableBytes { source.read(at: Int64(bytes.count), before: .max, into: $0) }
            switch piece {
            case .bytes(let count): bytes += buffer[..<count]
            case .notYet: usleep(1000)
            case .end, .failed: return bytes
            }
        }
    }

    /// The system says that it has no bytes, or a page of them.
    @Test(arguments: ["/proc/self/limits", "/sys/devices/system/cpu/online"])
    func `is read to its end when the system does not know its size`(path: String) throws {
        let expected = try TemporaryFolder.bytes(at: path)
        let source = try self.source(.file(path))
        expectNil(UploadOrder(.file(path)).sizeOnDisk)
        try require(isKept(source))
        expectEqual(source.size, Int64(expected.count))
        expect(content(of: source) == expected && !expected.isEmpty)
        source.finish()
        let form = try self.source(.form([FormField(name: "f", value: .file(path: path))]))
        let body = content(of: form)
        expectEqual(form.size, Int64(body.count))
        expectMore(body.count, than: expected.count)
    }

    @Test func `is no empty file when it cannot be read`() throws {
        #expect(throws: TransferFailure.self) {
            let source = try self.source(.file("/proc/self/mem"))
            _ = try isKept(source)
        }
    }

    @Test func `is no link that leads in a circle`() throws {
        folder.link("loop", to: "loop")
        let path = folder.path + "/loop"
        let failure = #expect(throws: TransferFailure.self) { try self.source(.file(path)) }
        expectEqual(failure, .readWrite(path, reason: "its symbolic links lead in a circle"))
    }

    /// The user's own path may have links, and with --follow, without a number of listed parts, what was listed too.
    @Test(arguments: [("b", "b/s"), ("b/s", "b/s"), ("e", "e")])
    func `is no link that has replaced what was listed`(replaced: String, sent: String) throws {
        for name in ["secret", "tree", "tree/b", "tree/e"] { folder.makeFolder(name) }
        for name in ["secret/s", "tree/b/s"] { folder.write(name, [1]) }
        folder.link("own", to: "tree")
        let root = folder.path + "/own/"
        func open(listed parts: Int?) throws {
            var order = UploadOrder(sent == "e" ? .folder(root + sent) : .file(root + sent))
            order.listedParts = parts
            _ = try UploadSource(order, of: TransferID(1), streams, whenReadable: {})
        }
        let parts = sent.split(separator: "/").count
        try open(listed: parts)
        expectEqual(rename(root + replaced, folder.path + "/moved"), 0)
        folder.link("tree/" + replaced, to: folder.path + (replaced == "b/s" ? "/secret/s" : "/secret"))
        let failure = #expect(throws: TransferFailure.self) { try open(listed: parts) }
        let words = "is a symbolic link now, which is not sent without --follow"
        expectEqual(failure, .readWrite(root + replaced, reason: words))
        try open(listed: nil)
    }

    @Test func `has its own size when the system has stored no block of it`() throws {
        folder.write("sparse", [])
        expectEqual(truncate(folder.path + "/sparse", 5000), 0)
        let source = try self.source(.file(folder.path + "/sparse"))
        expect(source.size == 5000 && content(of: source) == [UInt8](repeating: 0, count: 5000))
        folder.write("empty", [])
        let empty = try self.source(.file(folder.path + "/empty"))
        expect(empty.size == 0 && content(of: empty).isEmpty)
        expectEqual(UploadOrder(.file(folder.path + "/empty")).sizeOnDisk, .zero)
    }

    @Test func `is another version when it was written to with its old time restored`() throws {
        folder.write("f", [1, 2, 3])
        let path = folder.path + "/f"
        let first = try require(self.source(.file(path)).version)
        try rewrite(path, of: first)
        let second = try require(self.source(.file(path)).version)
        expect(second != first && second.modified == first.modified && second.length == first.length)
    }

    /// Writes to the file, and restores its old time.
    private func rewrite(_ path: String, of version: FileIdentity) throws {
        let time = timespec(
            tv_sec: Int(version.modified / 1_000_000_000), tv_nsec: Int(version.modified % 1_000_000_000))
        // The clock of the file system goes in steps.
        repeat {
            let file = open(path, O_WRONLY)
            _ = write(file, [4, 5, 6] as [UInt8], 3)
            _ = futimens(file, [time, time])
            close(file)
        } while try self.source(.file(path)).version?.changed == version.changed
    }

    @Test(arguments: ["written", "mode", "name", "link"])
    func `is whole after any change while it is sent but one of its bytes`(change: String) throws {
        folder.write("f", [1, 2, 3])
        let path = folder.path + "/f"
        let source = try self.source(.file(path))
        let version = try require(source.version)
        switch change {
        case "written": try rewrite(path, of: version)
        case "mode": chmod(path, 0o600)
        case "name": rename(path, path + "2")
        default: link(path, path + "2")
        }
        var buffer = [UInt8](repeating: 0, count: 8)
        let piece = buffer.withUnsafeMutableBytes { source.read(at: 0, before: .max, into: $0) }
        switch piece {
        case .failed(let failure): expect(change == "written" && failure == .sourceChanged(path))
        case .bytes(let count): expect(change != "written" && count == 3)
        case .notYet, .end: Issue.record("nothing is read")
        }
    }

    @Test func `that is a FIFO is closed when the upload is given up`() throws {
        let path = folder.path + "/fifo"
        try require(mkfifo(path, 0o600) == 0)
        let order = UploadOrder(.file(path))
        let source = try self.source(order.content)
        let sink = try require(opened(path))
        defer { close(sink) }
        streams.abandon(order, of: TransferID(1))
        var poll = pollfd(fd: sink, events: 0, revents: 0)
        expect(Glibc.poll(&poll, 1, 60_000) == 1 && poll.revents & Int16(POLLERR) != 0)
        source.rest()
    }

    /// An upload that is still waited for has no stall timeout.
    @Test func `that is a FIFO is not waited for once it is kept in a file`() throws {
        let path = folder.path + "/fifo"
        try require(mkfifo(path, 0o600) == 0)
        let source = try self.source(.file(path))
        defer { source.finish() }
        let sink = try require(opened(path))
        var buffer = [UInt8](repeating: 0, count: 8)
        _ = buffer.withUnsafeMutableBytes { source.read(at: 0, before: .max, into: $0) }
        expect(source.isAwaited)
        expectEqual(write(sink, [1, 2, 3] as [UInt8], 3), 3)
        close(sink)
        try require(isKept(source))
        expect(!source.isAwaited)
        expectEqual(content(of: source), [1, 2, 3])
    }

    /// Waits until the whole stream is in a file; a minute at most, which only a hang reaches.
    private func isKept(_ source: UploadSource) throws -> Bool {
        for _ in 0..<12_000 {
            if try source.spool() { return true }
            usleep(5000)
        }
        return false
    }

    /// For writing, once the reader has opened it. No program that another test starts meanwhile keeps it open: the stream
    /// would not end.
    private func opened(_ path: String) -> Int32? {
        for _ in 0..<12_000 {
            let number = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if number >= 0 { return number }
            usleep(5000)
        }
        return nil
    }
}

extension TemporaryFolder {
    fileprivate static func bytes(at path: String) throws -> [UInt8] {
        let number = open(path, O_RDONLY)
        defer { close(number) }
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while case let count = read(number, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return bytes
    }
}
