import WinchBatch
import WinchModel

/// Invariants of the Metalink reader.
enum MetalinkPromises {
    static func fault(_ bytes: [UInt8]) -> String? {
        let metalink = Metalink(bytes)
        // Expat counts CR, LF and CRLF as one end of a line each.
        let lines = bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
        for problem in metalink.problems where !(1...lines).contains(problem.line) {
            return "a problem in line \(problem.line) of \(lines)"
        }
        var names: Set<String> = []
        for file in metalink.files {
            if !(1...lines).contains(file.line) { return "a file in line \(file.line) of \(lines)" }
            if let fault = fault(of: file) { return "\(file.path.text): \(fault)" }
            if !names.insert(file.path.text).inserted { return "two files are \(file.path.text)" }
        }
        return printed(metalink.files)
    }

    private static func fault(of file: MetalinkFile) -> String? {
        if let fault = NamePromises.fault(path: Array(file.path.text.utf8)) { return fault }
        for part in file.path.text.utf8.split(separator: UInt8(ascii: "/")) {
            guard let name = TargetName(sanitizing: Substring(part)), name.text == Substring(part) else {
                return "the part '\(Substring(part))' is not safe"
            }
        }
        if file.urls.isEmpty || file.urls.count > 64 { return "\(file.urls.count) URLs" }
        if Set(file.urls).count < file.urls.count { return "a URL twice" }
        if let size = file.size, size < .zero { return "a size below zero" }
        if let pieces = file.pieces, let size = file.size, !pieces.cover(size) { return "pieces of another size" }
        return nil
    }

    /// Files that are written as a Metalink and read again must be equal.
    private static func printed(_ files: [MetalinkFile]) -> String? {
        guard !files.isEmpty else { return nil }
        let text =
            "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">" + files.map(text).joined() + "</metalink>"
        let again = Metalink(Array(text.utf8))
        if let problem = again.problems.first {
            return "written out, line \(problem.line): \(problem.message)\n\(text)"
        }
        for (old, new) in zip(files, again.files) {
            var old = old
            old.line = new.line
            if old != new { return "a file is another one when read again:\n\(text)" }
        }
        return files.count == again.files.count ? nil : "\(files.count) files become \(again.files.count)"
    }

    private static func text(_ file: MetalinkFile) -> String {
        var text = "<file name=\"\(escaped(file.path.text))\">"
        if let size = file.size { text += "<size>\(size.bytes)</size>" }
        if let sum = file.checksum { text += "<hash type=\"\(sum.algorithm.rawValue)\">\(sum.hex)</hash>" }
        if let pieces = file.pieces {
            text += "<pieces type=\"\(pieces.algorithm.rawValue)\" length=\"\(pieces.length.bytes)\">"
            for index in 0..<pieces.count {
                let hex = pieces.digest(at: index).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                text += "<hash>\(hex)</hash>"
            }
            text += "</pieces>"
        }
        for url in file.urls { text += "<url>\(escaped(url.text))</url>" }
        return text + "</file>"
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: String(scalar)
            }
        }.joined()
    }
}
