import Foundation
import TestSupport
import Testing

@testable import WinchTerminal

@Suite struct `Opening a folder` {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "winch-opener-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// An `xdg-open` that writes its argument to a file.
    private func install() throws -> String {
        let program = folder.appending(path: "xdg-open")
        try
            "#!/bin/sh\nprintf '%s' \"$1\" > '\(folder.path)/asked.tmp'; mv '\(folder.path)/asked.tmp' '\(folder.path)/asked'\n"
            .write(to: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        return folder.path
    }

    @Test func `passes its path to xdg-open, whatever its name`() async throws {
        let opener = FolderOpener(path: "/nowhere:\(try install()):/usr/bin:/bin")
        let odd = folder.appending(path: "odd '$(x)\" name")
        try FileManager.default.createDirectory(at: odd, withIntermediateDirectories: true)
        expectNil(opener.open(odd.path))
        let asked = folder.appending(path: "asked")
        let deadline = Date.now.addingTimeInterval(60)
        while !FileManager.default.fileExists(atPath: asked.path), Date.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        try expectEqual(String(contentsOf: asked, encoding: .utf8), odd.path)
    }

    @Test func `fails with the reason when xdg-open or the folder is missing`() throws {
        expectEqual(FolderOpener(path: "/nowhere").open(folder.path)?.contains("xdg-open is not installed"), true)
        let opener = FolderOpener(path: try install())
        expectEqual(opener.open(folder.path + "/missing")?.contains("No such file"), true)
    }
}
