import Foundation
import TestSupport
import Testing

/// Expected texts, stored as files in the folder Golden. After an intended change, record them again with
/// WINCH_RECORD=1 in the environment, and check the differences before they are committed.
enum Golden {
    static func expect(_ text: String, is name: String, location: SourceLocation = #_sourceLocation) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "Golden/\(name).txt")
        if ProcessInfo.processInfo.environment["WINCH_RECORD"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        // The first different line is easier to read than two whole screens.
        let lines = zip(
            kept.split(separator: "\n", omittingEmptySubsequences: false),
            text.split(separator: "\n", omittingEmptySubsequences: false))
        let changed = lines.enumerated().first { $1.0 != $1.1 }
        expectNil(
            changed,
            "\(name): \(changed.map { "line \($0.offset + 1)\n\($0.element.0)\n\($0.element.1)" } ?? "")",
            sourceLocation: location)
        expectEqual(kept.count, text.count, sourceLocation: location)
    }
}
