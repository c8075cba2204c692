import WinchBatch
package import WinchModel

/// An entry of a list, as it travels to a worker: its lines of the batch file.
package struct FleetEntry: Hashable, Sendable {
    /// The same for the same first URL and `out`: a second one is dropped by the server. 32 hexadecimal digits.
    package var id: String
    /// The line of the URLs and those of its options, as in a batch file.
    package var text: String

    package init(id: String, text: String) { (self.id, self.text) = (id, text) }

    package enum Fault: Error, Equatable, Sendable {
        /// The text completes a sentence about the entry.
        case unusable(String)

        package var message: String {
            switch self {
            case .unusable(let words): words
            }
        }
    }

    /// Why an entry cannot travel; `nil`: it can.
    package static func fault(of spec: TransferSpec) -> Fault? {
        if spec.upload != nil {
            return .unusable("an upload stays on the machine that has the file; a fleet only downloads")
        }
        if spec.settings.value.onDone != nil || spec.settings.value.onFail != nil {
            return .unusable("a fleet runs no commands: leave out on-done and on-fail")
        }
        // A login that may only write to the queue must not choose any folder of a worker.
        let parts = spec.folder.utf8.split(separator: UInt8(ascii: "/"))
        if spec.folder.utf8.first == UInt8(ascii: "/") || parts.contains(where: { $0.elementsEqual("..".utf8) }) {
            return .unusable("dir= must be a folder below that of the worker (winch fleet work -d)")
        }
        return nil
    }

    /// Reads the text of a message.
    ///
    /// - Parameter folder: absolute; the folder of the worker, in which `dir=` begins.
    /// - Throws: why it is not the text of one entry that can travel.
    package static func spec(_ text: [UInt8], in folder: WorkingFolder) throws(Fault) -> TransferSpec {
        let batch = BatchParser(folder: ".", settings: TransferSettings()).parse(text)
        if let problem = batch.problems.first(where: { $0.severity == .error }) {
            throw .unusable("line \(problem.line): \(problem.message)")
        }
        // An option of a newer version: the file would not be what the list asks for.
        if let problem = batch.problems.first(where: { $0.message.hasPrefix("unknown option") }) {
            throw .unusable(
                "line \(problem.line): \(problem.message); is this winch older than the one that submitted it?")
        }
        guard batch.specs.count == 1, var spec = batch.specs.first else {
            throw .unusable(batch.specs.isEmpty ? "no URL" : "\(batch.specs.count) entries in one message")
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
