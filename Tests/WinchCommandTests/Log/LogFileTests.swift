import Foundation
import Glibc
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel
@testable import winch

@Suite struct `The log file` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func update(_ kinds: FeedEvent.Kind...) -> Update {
        let row = TransferSnapshot(id: TransferID(7), name: "a b\u{1B}[2J\n.iso", host: "h", phase: .moving)
        return Update(
            rows: [row.id: row],
            events: kinds.map { FeedEvent(id: row.id, at: Moment(seconds: 1.5), kind: $0, have: ByteCount(bytes: 5)) },
            at: Moment(seconds: 2))
    }

    private func write(_ level: LogLevel, _ kinds: FeedEvent.Kind...) throws -> [String] {
        let path = folder.path + "/log"
        let log = try LogFile(path: path, level: level, unixOffset: 1_700_000_000)
        var update = update()
        update.events = kinds.map {
            FeedEvent(id: TransferID(7), at: Moment(seconds: 1.5), kind: $0, have: ByteCount(bytes: 5))
        }
        log.post(update)
        log.close()
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test func `has a line for each event with time, level, id, message and fields`() throws {
        let lines = try write(.info, .started(attempt: 1), .failed(.httpStatus(404)))
        expectEqual(
            lines,
            [
                "2023-11-14T22:13:21.500Z INFO [7] started name=\"a b\\u{1b}[2J\\u{a}.iso\" attempt=1 have=5",
                "2023-11-14T22:13:21.500Z ERROR [7] failed: 404 not found name=\"a b\\u{1b}[2J\\u{a}.iso\" "
                    + "reason=\"404 not found\" have=5",
            ])
    }

    @Test(arguments: [(LogLevel.debug, 3), (.info, 2), (.warning, 1), (.error, 1)])
    func `omits events below its level`(level: LogLevel, count: Int) throws {
        try expectEqual(
            write(level, .headers(status: 200), .paused, .moved, .failed(.diskFull(folder: "d"))).count, count)
    }

    @Test func `is appended to, and only the user can read it`() throws {
        _ = try write(.info, .paused)
        try expectEqual(write(.info, .resumed).count, 2)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/log")
        expectEqual(attributes[.posixPermissions] as? Int, 0o600)
    }

    @Test func `that cannot be written is reported with the reason`() {
        do {
            _ = try LogFile(path: folder.path + "/missing/log", level: .info, unixOffset: 0)
            Issue.record("it was opened")
        } catch {
            expect(error.message.contains("missing/log: No such file or directory"))
        }
    }

    @Test func `in a FIFO that no program reads is refused at once`() {
        let path = folder.path + "/pipe"
        expectEqual(mkfifo(path, 0o600), 0)
        do {
            _ = try LogFile(path: path, level: .info, unixOffset: 0)
            Issue.record("it was opened")
        } catch {
            expectEqual(error.message, "\(path): no program reads this FIFO; start the reader first")
        }
    }

    @Test func `in a FIFO loses no line to a slow reader`() throws {
        let path = folder.path + "/pipe"
        expectEqual(mkfifo(path, 0o600), 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let log = try LogFile(path: path, level: .info, unixOffset: 0)
        // More than the 64 KiB that the system keeps of a pipe, so that the log has to wait.
        let lines = 200
        for _ in 0..<lines { log.report(String(repeating: "x", count: 1000), .info, at: Moment(seconds: 1)) }
        var block = [UInt8](repeating: 0, count: 4096)
        var found = 0
        var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        while found < lines, poll(&entry, 1, 10_000) > 0 {
            let count = read(reader, &block, block.count)
            guard count > 0 else { break }
            found += block[..<count].count { $0 == UInt8(ascii: "\n") }
        }
        expectEqual(found, lines)
        expectNil(log.close())
    }

    @Test func `on a full disk is reported at its end`() throws {
        let log = try LogFile(path: "/dev/full", level: .info, unixOffset: 0)
        expectNil(log.close())
        log.report("message", .info, at: Moment(seconds: 1))
        expectEqual(log.close(), "/dev/full: lines are missing: No space left on device")
    }

    @Test func `is continued in a new file when it is long, and keeps one older file`() throws {
        let path = folder.path + "/log"
        let rotation = LogFile.Rotation(most: 300, hasStandardStreams: false)
        let log = try LogFile(path: path, level: .info, unixOffset: 1_700_000_000, rotation: rotation)
        for number in 0..<20 { log.report("message \(number) of the log", .info, at: Moment(seconds: 1)) }
        log.close()
        let (new, old) = (
            try String(contentsOfFile: path, encoding: .utf8), try String(contentsOfFile: path + ".1", encoding: .utf8)
        )
        expect(new.count < 400 && old.count > 300 && old.count < 400)
        expect(new.contains("message 19") && (old + new).contains("message 14"))
        expectEqual(Set(folder.names), ["log", "log.1"])
    }

    @Test(
        arguments: [
            ("plain", "plain"), ("", "\"\""), ("a b", "\"a b\""), ("a\"b", "\"a\\\"b\""), ("a=b", "\"a=b\""),
            ("\u{202E}x", "\\u{202e}x"), ("東", "東"),
        ])
    func `has values that contain separators in quotes`(value: String, written: String) {
        expectEqual(LogLineFormat.quoted(value), written)
    }
}
