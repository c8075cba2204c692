import Foundation
import Testing

/// Texts kept as files in the folder Golden. When one changes on purpose: record anew with WINCH_RECORD=1 in the
/// environment, and look at what has changed before it is committed.
enum Golden {
    static func expect(_ text: String, is name: String, location: SourceLocation = #_sourceLocation) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "Golden/\(name).txt")
        if ProcessInfo.processInfo.environment["WINCH_RECORD"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        // The first line that differs says more than two screens.
        let lines = zip(
            kept.split(separator: "\n", omittingEmptySubsequences: false),
            text.split(separator: "\n", omittingEmptySubsequences: false))
        let changed = lines.enumerated().first { $1.0 != $1.1 }
        #expect(
            changed == nil,
            "\(name): \(changed.map { "line \($0.offset + 1)\n\($0.element.0)\n\($0.element.1)" } ?? "")",
            sourceLocation: location)
        #expect(kept.count == text.count, sourceLocation: location)
    }
}
