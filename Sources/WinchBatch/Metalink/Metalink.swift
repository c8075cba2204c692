package import WinchModel

/// The files that a Metalink describes: a small XML text with the names, sizes, hashes and mirrors of files.
///
/// Versions 4 and 3 are read. Torrents (`metaurl`), signatures and all other elements are ignored.
///
/// - Source: RFC 5854; Metalink 3.0 Specification, second edition.
package struct Metalink: Sendable {
    /// A file with an error is left out.
    package private(set) var files: [MetalinkFile] = []
    /// In the order of their lines. An error of the XML itself is the only problem, and there are no files then.
    package private(set) var problems: [BatchProblem] = []

    package var hasErrors: Bool { problems.contains { $0.severity == .error } }

    /// 16 MiB, in bytes. One with a hundred mirrors and the piece hashes of a DVD has 200 KiB.
    package static let largest = 16 << 20

    /// Reads a whole text. Never fails: what is wrong is in `problems`.
    package init(_ bytes: [UInt8]) {
        guard bytes.count <= Self.largest else {
            fail("a Metalink has at most \(Self.largest >> 20) MiB; this file has more", line: 1)
            return
        }
        let builder = MetalinkBuilder()
        if let fault = XMLReader(builder).read(bytes) {
            fail(fault.message, line: fault.line)
            return
        }
        (files, problems) = (builder.files, builder.problems)
    }

    private mutating func fail(_ message: String, line: Int) {
        problems = [BatchProblem(line: line, severity: .error, message: message)]
    }

    /// Whether a file is a Metalink by its name: `.meta4` or `.metalink`, also before `.gz`.
    package static func isName(_ name: some StringProtocol) -> Bool {
        var name = name.lowercased()
        if name.hasSuffix(".gz") { name.removeLast(3) }
        return name.hasSuffix(".meta4") || name.hasSuffix(".metalink")
    }

    /// Whether a text begins as a Metalink does: with `<?xml` or `<metalink`, after blanks and a byte order mark. No line of a
    /// batch begins so.
    package static func begins(_ bytes: [UInt8]) -> Bool {
        let start = Array(bytes.prefix(256))
        guard let (_, line) = TextLines(start).first(where: { $0.line.contains { $0 > 0x20 } }) else { return false }
        let text = line.drop { $0 <= 0x20 }
        return text.starts(with: "<?xml".utf8) || text.starts(with: "<metalink".utf8)
    }
}

extension Metalink {
    /// The entries of a batch for the files.
    ///
    /// - Parameters:
    ///   - folder: the target folder.
    ///   - settings: the settings of all entries.
    package func batch(folder: String, settings: Shared<TransferSettings>) -> BatchParser.Batch {
        let specs = files.map { file in
            var spec = TransferSpec(urls: file.urls, folder: folder, name: file.path, settings: settings)
            (spec.listedChecksum, spec.listedOrigin) = (file.checksum, .metalink)
            spec.pieces = file.pieces
            spec.listedSize = file.size
            return spec
        }
        return BatchParser.Batch(specs: specs, lines: files.map { Int32(clamping: $0.line) }, problems: problems)
    }
}
