import Foundation
import TestSupport
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `A log file that grows` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `is continued in a new file when it is long, and keeps one older file`() throws {
        let path = folder.path + "/log"
        let rotation = LogFileWriter.Rotation(most: 300, hasStandardStreams: false)
        let log = try LogFile(path: path, level: .info, unixOffset: 1_700_000_000, rotation: rotation)
        for number in 0..<20 { log.report("message \(number) of the log", .info, at: Moment(seconds: 1)) }
        log.close()
        let (new, old) = (
            try String(contentsOfFile: path, encoding: .utf8), try String(contentsOfFile: path + ".1", encoding: .utf8)
        )
        #expect(new.count < 400 && old.count > 300 && old.count < 400)
        #expect(new.contains("message 19") && (old + new).contains("message 14"))
        #expect(Set(folder.names) == ["log", "log.1"])
    }
}
