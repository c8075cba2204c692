package import WinchBatch
package import WinchModel

/// An entry of a list, as it travels to a worker: its lines of the batch file.
package struct FleetEntry: Hashable, Sendable {
    /// The same for the same first URL, `out`, user and header lines: a second one is dropped by the server. 32 hexadecimal digits.
    package var id: String
    /// The line of the URLs and those of its options, as in a batch file.
    package var text: String

    /// Why an entry cannot travel, as the end of a sentence about it; `nil`: it can.
    package static func fault(of spec: TransferSpec) -> InvalidValue? {
        if spec.upload != nil {
            return InvalidValue("an upload stays on the machine that has the file; a fleet only downloads")
        }
        if spec.folderOrder != nil {
            return InvalidValue("a fleet knows nothing of the files that a folder adds; submit the URLs of its files")
        }
        if spec.settings.value.onDone != nil || spec.settings.value.onFail != nil {
            return InvalidValue("a fleet runs no commands: leave out on-done and on-fail")
        }
        // A login that may only write to the queue must not choose any folder of a worker.
        let parts = spec.folder.utf8.split(separator: UInt8(ascii: "/"))
        if spec.folder.utf8.first == UInt8(ascii: "/") || parts.contains(where: { $0.elementsEqual("..".utf8) }) {
            return InvalidValue("dir= must be a folder below that of the worker (winch fleet work -d)")
        }
        return nil
    }

    /// Reads the text of a message.
    ///
    /// - Parameter folder: absolute; the folder of the worker, in which `dir=` begins.
    /// - Throws: why it is not the text of one entry that can travel.
    package static func spec(_ text: [UInt8], in folder: WorkingFolder) throws(InvalidValue) -> TransferSpec {
        let batch = BatchParser(folder: ".", settings: TransferSettings()).parse(text)
        if let problem = batch.problems.first(where: { $0.severity == .error }) {
            throw InvalidValue("line \(problem.line): \(problem.message)")
        }
        // An option of a newer version: the file would not be what the list asks for.
        if let problem = batch.problems.first(where: { $0.message.hasPrefix("unknown option") }) {
            throw InvalidValue(
                "line \(problem.line): \(problem.message); is this winch older than the one that submitted it?"
            )
        }
        guard batch.specs.count == 1, var spec = batch.specs.first else {
            throw InvalidValue(batch.specs.isEmpty ? "no URL" : "\(batch.specs.count) entries in one message")
        }
        if let fault = fault(of: spec) { throw fault }
        spec.folder = folder.absolute(spec.folder)
        spec.startsPaused = false
        // Each entry is one file: a fleet knows nothing of files that one of them names.
        if spec.settings.value.metalink == .follow {
            var settings = spec.settings.value
            settings.metalink = .save
            spec.settings = Shared(settings)
        }
        return spec
    }
}

/// The entries of a list, one after the other: those that can travel.
package struct FleetEntryReader: Sendable {
    private var reader: BatchReader
    private var lines: TextLines.Iterator
    /// The first line that belongs to none of the entries so far.
    private var next: (number: Int, line: ArraySlice<UInt8>)?
    private var ready: [FleetEntry] = []
    private let isMetalink: Bool
    /// Entries that are left out: their problems have a line each.
    private var refused: [BatchProblem] = []
    /// In bytes; a longer one is left out.
    private let longest: Int

    /// - Parameters:
    ///   - bytes: a batch file, or a Metalink.
    ///   - longest: in bytes, what the server takes for an entry.
    package init(_ bytes: [UInt8], isMetalink: Bool = false, longest: Int = 1 << 20) {
        let parser = BatchParser(folder: ".", settings: TransferSettings())
        reader = BatchReader(bytes, parser: parser, isMetalink: isMetalink)
        self.isMetalink = isMetalink || Metalink.begins(bytes)
        lines = TextLines(self.isMetalink ? [] : bytes).makeIterator()
        next = lines.next()
        self.longest = longest
    }

    /// Sorted by their lines; complete at the end.
    package var problems: [BatchProblem] { (reader.problems + refused).sorted { $0.line < $1.line } }

    /// - Returns: `nil`: the list is at its end.
    package mutating func nextEntry() -> FleetEntry? {
        while ready.isEmpty {
            guard !reader.isAtEnd else { return nil }
            readPiece()
        }
        return ready.removeLast()
    }

    private mutating func readPiece() {
        let batch = reader.next(atMost: 1000)
        for (spec, line) in zip(batch.specs, batch.lines) {
            let text = isMetalink ? Self.text(of: spec) : text(ofEntryAt: Int(line))
            if let fault = FleetEntry.fault(of: spec) {
                refuse(line, fault.message)
            } else if text.utf8.count > longest {
                refuse(line, "the entry is longer than the server takes (\(longest) bytes)")
            } else {
                ready.append(FleetEntry(id: StableHash(spec).hex, text: text))
            }
        }
        ready.reverse()
    }

    private mutating func refuse(_ line: Int32, _ words: String) {
        refused.append(BatchProblem(line: Int(line), severity: .error, message: words))
    }

    /// The line of its URLs, and those of its options.
    private mutating func text(ofEntryAt line: Int) -> String {
        while let (number, _) = next, number < line { next = lines.next() }
        var text: [UInt8] = []
        while let (number, bytes) = next {
            let first = bytes.first
            guard number == line || first.map(\.isBlank) ?? true || first == UInt8(ascii: "#") else { break }
            if let first, first != UInt8(ascii: "#") { text += bytes + [UInt8(ascii: "\n")] }
            next = lines.next()
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// What a Metalink says of a file, but for the hashes of its pieces.
    private static func text(of spec: TransferSpec) -> String {
        var text = spec.urls.map(\.text).joined(separator: "\t") + "\n"
        if let name = spec.name { text += " out=\(name.text)\n" }
        if let sum = spec.listedChecksum { text += " checksum=\(sum.algorithm.rawValue)=\(sum.hex)\n" }
        return text
    }
}
