import FaultServer
import Foundation
import Hashing
import TestSupport
import Testing

/// A folder of a test's own, removed at its end.
final class TestFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "winch-e2e-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// A folder that lives in another test folder and goes with it.
    init(inside url: URL) throws {
        self.url = url
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: url.appending(path: name))
    }

    /// Makes a folder, and those above it.
    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    /// Checks that a file is the one of its name that the fault server has.
    func expectSeeded(_ path: String, size: Int64, location: SourceLocation = #_sourceLocation) throws {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        try expectEqual(sha256(path), SeededContent(name: name).sha256(size: size), sourceLocation: location)
    }

    /// Writes an executable shell script.
    func writeScript(_ lines: String, to name: String) throws {
        try write("#!/bin/sh\n\(lines)\n", to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
    }

    func text(_ name: String) throws -> String { try String(contentsOf: url.appending(path: name), encoding: .utf8) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// 0 when there is no such file.
    func size(_ name: String) throws -> Int {
        guard exists(name) else { return 0 }
        return try FileManager.default.attributesOfItem(atPath: path(name))[.size] as? Int ?? 0
    }

    /// The names in a folder, sorted, without hidden ones, which belong to the test itself.
    func names(_ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? url.path : path(folder))
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    func sha256(_ name: String) throws -> String {
        let file = try FileHandle(forReadingFrom: url.appending(path: name))
        defer { try? file.close() }
        var hash = RunningHash(.sha256)
        while let block = try file.read(upToCount: 1 << 20), !block.isEmpty { hash.update(Array(block)) }
        return hash.digest().hex
    }
}

extension SeededContent {
    /// What a file of the fault server must hash to.
    func sha256(size: Int64) -> String {
        var hash = RunningHash(.sha256)
        var start: Int64 = 0
        while start < size {
            let end = min(size, start + 1 << 20)
            hash.update(bytes(in: start..<end))
            start = end
        }
        return hash.digest().hex
    }
}
