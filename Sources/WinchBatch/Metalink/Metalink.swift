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

    /// 16 MiB, in bytes. One with a hundred mirrors and the piece hashes of a DVD has 200 KiB.
    package static let largest = 16 << 20

    /// Reads a whole text. Never fails: what is wrong is in `problems`.
    package init(_ bytes: [UInt8]) {
        guard bytes.count <= Self.largest else {
            let message = "a Metalink has at most \(Self.largest >> 20) MiB; this file has more"
            problems = [BatchProblem(line: 1, severity: .error, message: message)]
            return
        }
        let builder = MetalinkBuilder()
        if let fault = XMLReader(builder).read(bytes) {
            problems = [fault]
            return
        }
        (files, problems) = (builder.files, builder.problems)
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

/// A file that a Metalink describes. It has at least one URL.
package struct MetalinkFile: Hashable, Sendable {
    /// The line of its `<file>`, from 1.
    package var line: Int
    /// Below the target folder. Each part is a safe name, as if a server had sent it.
    package var path: TargetPath
    /// `nil` when the Metalink does not say.
    package var size: ByteCount?
    /// The strongest of its hashes; `nil` without one that Winch knows.
    package var checksum: Checksum?
    /// The strongest of its lists of piece hashes; `nil` without one that is complete.
    package var pieces: PieceHashes?
    /// In the order in which they are to be used, without duplicates.
    package var urls: [TransferURL]
}

final class MetalinkBuilder: XMLBuilder {
    private(set) var files: [MetalinkFile] = []
    private(set) var problems: [BatchProblem] = []

    /// The elements that matter, by where they are. Version 3 has the containers `files`, `verification` and `resources`
    /// between those of version 4.
    private enum Element {
        case metalink, files, file, container, size, hash, url, pieces, pieceHash
        /// With all that is in it.
        case ignored
    }

    private var open: [Element] = []
    /// That of the outermost element. Elements of another one are ignored.
    private var namespace = ""
    private var file: MetalinkFileDraft?
    /// The line of each name.
    private var lines: [ExactText: Int] = [:]

    private static let namespaces = ["urn:ietf:params:xml:ns:metalink", "http://www.metalinker.org/"]
    private let mostFiles: Int

    /// - Parameter mostFiles: as a rule more than any list of a distribution's packages.
    init(mostFiles: Int = 100_000) { self.mostFiles = mostFiles }

    func begin(_ name: XMLName, _ attributes: [String: String], line: Int) throws(InvalidValue) -> Bool {
        var element = try element(name)
        // Version 3 has torrents among the URLs, by their type.
        if element == .url, let type = attributes["type"], TransferURL.Scheme(rawValue: type.lowercased()) == nil {
            element = .ignored
        }
        open.append(element)
        switch element {
        case .file:
            guard lines.count < mostFiles else {
                throw InvalidValue("a Metalink has at most \(NumberFormat.count(mostFiles)) files")
            }
            file = MetalinkFileDraft(name: attributes["name"] ?? "", line: line)
        case .size: file?.line = line
        case .hash: file?.beginHash(type: attributes["type"] ?? "", line: line)
        case .url: file?.beginURL(priority: attributes["priority"], preference: attributes["preference"], line: line)
        case .pieces: file?.beginPieces(type: attributes["type"] ?? "", length: attributes["length"] ?? "", line: line)
        case .pieceHash: try file?.beginPiece(index: attributes["piece"], line: line)
        case .metalink, .files, .container, .ignored: break
        }
        return [.size, .hash, .url, .pieceHash].contains(element)
    }

    func end(text bytes: [UInt8]) throws(InvalidValue) {
        let text = String(decoding: bytes.trimmed, as: UTF8.self)
        switch open.popLast() {
        case .file: closeFile()
        case .size: file?.take(size: text)
        case .hash: file?.take(hash: text)
        case .url: try file?.take(url: text)
        case .pieces: file?.closePieces()
        case .pieceHash: file?.take(piece: text)
        case .metalink, .files, .container, .ignored, nil: break
        }
    }

    private func element(_ name: XMLName) throws(InvalidValue) -> Element {
        guard let parent = open.last else {
            // Old generators leave the namespace out.
            guard name.local == "metalink", name.namespace.isEmpty || Self.namespaces.contains(name.namespace) else {
                throw InvalidValue(
                    "this is XML, but no Metalink: it begins with <\(name.local.prefix(40))>")
            }
            namespace = name.namespace
            return .metalink
        }
        guard name.namespace == namespace else { return .ignored }
        switch (parent, name.local) {
        case (.metalink, "files"): return .files
        case (.metalink, "file"), (.files, "file"): return .file
        case (.file, "verification"), (.file, "resources"): return .container
        case (.file, "size"): return .size
        case (.file, "hash"), (.container, "hash"): return .hash
        case (.file, "url"), (.container, "url"): return .url
        case (.file, "pieces"), (.container, "pieces"): return .pieces
        case (.pieces, "hash"): return .pieceHash
        default: return .ignored
        }
    }

    private func closeFile() {
        guard let draft = file else { return }
        file = nil
        let (finished, found) = draft.finished()
        guard let finished else {
            for problem in found { problems.note(problem) }
            return
        }
        let name = ExactText(finished.path.text)
        if let first = lines.updateValue(finished.line, forKey: name) {
            lines[name] = first
            let message = "another file has the name \(finished.path.text.prefix(80)), in line \(first)"
            problems.note(BatchProblem(line: finished.line, severity: .error, message: message))
            return
        }
        for problem in found { problems.note(problem) }
        files.append(finished)
    }
}
