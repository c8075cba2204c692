import WinchModel

/// Collects the files of a Metalink from its elements.
final class MetalinkBuilder: XMLHandler {
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
    private var lines: [String: Int] = [:]

    private static let namespaces = ["urn:ietf:params:xml:ns:metalink", "http://www.metalinker.org/"]
    /// More than any list of a distribution's packages.
    private static let mostFiles = 100_000

    func begin(_ name: XMLName, _ attributes: [String: String], line: Int) throws(XMLReader.Refusal) -> Bool {
        var element = try element(name)
        // Version 3 has torrents among the URLs, by their type.
        if element == .url, let type = attributes["type"], TransferURL.Scheme(rawValue: type.lowercased()) == nil {
            element = .ignored
        }
        open.append(element)
        switch element {
        case .file:
            guard lines.count < Self.mostFiles else {
                throw XMLReader.Refusal(message: "a Metalink has at most \(NumberFormat.count(Self.mostFiles)) files")
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

    func end(text: String) throws(XMLReader.Refusal) {
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

    private func element(_ name: XMLName) throws(XMLReader.Refusal) -> Element {
        guard let parent = open.last else {
            // Old generators leave the namespace out.
            guard name.local == "metalink", name.namespace.isEmpty || Self.namespaces.contains(name.namespace) else {
                throw XMLReader.Refusal(
                    message: "this is XML, but no Metalink: it begins with <\(name.local.prefix(40))>")
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
            problems += found
            return
        }
        if let first = lines.updateValue(finished.line, forKey: finished.path.text) {
            lines[finished.path.text] = first
            let message = "another file has the name \(finished.path.text.prefix(80)), in line \(first)"
            problems.append(BatchProblem(line: finished.line, severity: .error, message: message))
            return
        }
        problems += found
        files.append(finished)
    }
}
