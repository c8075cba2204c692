import Glibc
import WinchCore

/// What was typed or pasted to be added: URLs, lines of a batch, or the name of a batch file.
struct TypedBatch {
    let batch: BatchParser.Batch
    /// What to tell the person; `nil`: nothing was typed.
    let words: String?

    /// - Parameter text: URLs separated by blanks, whole lines of a batch, `@FILE`, or the path of a file that is there.
    init(_ text: String, parser: BatchParser) {
        let isLines = text.contains { $0.isNewline }
        if !isLines, let path = Self.path(in: text) {
            do throws(InputFile.Failure) {
                batch = parser.parse(try InputFile.read(path))
                words = Self.words(for: batch, place: "\(path):")
            } catch {
                (batch, words) = (parser.parse([]), error.message)
            }
            return
        }
        let lines = isLines ? text : text.split(separator: " ").joined(separator: "\n")
        batch = parser.parse(Array(lines.utf8))
        words = Self.words(for: batch, place: isLines ? "line " : nil)
    }

    /// The file that is meant; `nil`: the text is no file's name.
    private static func path(in text: String) -> String? {
        let text = text.drop { $0 == " " }
        if text.hasPrefix("@") { return home(String(text.dropFirst())) }
        guard !text.isEmpty, !text.utf8.starts(with: "-".utf8), !text.contains("://") else { return nil }
        let path = home(String(text))
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? path : nil
    }

    private static func home(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
        return String(cString: home) + path.dropFirst()
    }

    private static func words(for batch: BatchParser.Batch, place: String?) -> String? {
        guard let problem = batch.problems.first else {
            return batch.specs.isEmpty ? nil : "added \(batch.specs.count)"
        }
        let more = batch.problems.count > 1 ? " (and \(batch.problems.count - 1) more)" : ""
        return (place.map { "\($0)\(problem.line): " } ?? "") + problem.message + more
    }
}
