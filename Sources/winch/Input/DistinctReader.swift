import Glibc
import WinchBatch
import WinchModel
import WinchTransport

/// Reads a batch in pieces. Leaves out entries that an earlier one makes superfluous, and those that cannot be carried out.
struct DistinctReader: Sendable {
    private var reader: BatchReader
    private let reasonWithoutInput: String?
    private let checksSources: Bool
    private let checksLoginFiles: Bool
    /// What is wrong with the files of certificates and keys, by their paths; `nil`: nothing.
    private var faults: [ExactText: String?] = [:]
    private(set) var duplicates: [Int32] = []
    private var found: [BatchProblem] = []

    /// - Parameters:
    ///   - reasonWithoutInput: why standard input cannot be uploaded; `nil`: it can.
    ///   - checksSources: the files of uploads are looked at, and what is wrong with them is a problem.
    ///   - checksLoginFiles: an entry whose certificate or key no connection may open is left out; otherwise its transfer fails.
    init(
        _ reader: BatchReader, reasonWithoutInput: String?, checksSources: Bool = false, checksLoginFiles: Bool = false
    ) {
        (self.reader, self.reasonWithoutInput) = (reader, reasonWithoutInput)
        (self.checksSources, self.checksLoginFiles) = (checksSources, checksLoginFiles)
    }

    var isAtEnd: Bool { reader.isAtEnd }

    /// In the order of their lines; complete when `isAtEnd`.
    var problems: [BatchProblem] { (reader.problems + found).sorted { $0.line < $1.line } }

    /// Parses the next `count` entries, or those to the end, and returns the ones that remain.
    ///
    /// - Parameter filter: knows the entries before them, of other batches as well.
    mutating func next(atMost count: Int, _ filter: inout DuplicateFilter) -> [TransferSpec] {
        let batch = reader.next(atMost: count)
        var specs: [TransferSpec] = []
        specs.reserveCapacity(batch.specs.count)
        for (spec, line) in zip(batch.specs, batch.lines) {
            if let reasonWithoutInput, spec.upload?.content == .standardInput {
                note(.error, reasonWithoutInput, line)
                continue
            }
            if checksLoginFiles, let fault = fault(of: spec.settings) {
                note(.error, fault, line)
                continue
            }
            if checksSources, let upload = spec.upload {
                for problem in UploadSources.problems(of: upload) { note(problem.severity, problem.message, line) }
            }
            switch filter.judge(spec) {
            case .new: specs.append(spec)
            case .duplicate: duplicates.append(line)
            case .clash(let words): note(.error, words, line)
            }
        }
        return specs
    }

    private mutating func fault(of settings: Shared<TransferSettings>) -> String? {
        let (certificate, key) = (settings.value.certificateFile, settings.value.keyFile)
        if let certificate, let fault = fault(of: certificate) { return "cert \(certificate): \(fault)" }
        if let key, let fault = fault(of: key) { return "key \(key): \(fault)" }
        return nil
    }

    /// Looks at each file once: all entries of a long list may name the same.
    private mutating func fault(of path: String) -> String? {
        if let known = faults[ExactText(path)] { return known }
        let fault = ReopenedFile.fault(path)
        faults.updateValue(fault, forKey: ExactText(path))
        return fault
    }

    private mutating func note(_ severity: BatchProblem.Severity, _ message: String, _ line: Int32) {
        found.append(BatchProblem(line: Int(line), severity: severity, message: message))
    }
}

/// The local files of an upload, before anything is sent.
enum UploadSources {
    /// What is wrong with the files, in the order of a form's fields.
    static func problems(of order: UploadOrder) -> [(severity: BatchProblem.Severity, message: String)] {
        switch order.content {
        case .file(let path): problem(of: path, mayBeStream: order.httpProtocol == .plain).map { [$0] } ?? []
        case .form(let fields): fields.compactMap(\.file).compactMap { problem(of: $0, mayBeStream: false) }
        case .folder, .standardInput, .open: []
        }
    }

    private static func problem(
        of path: String, mayBeStream: Bool
    ) -> (severity: BatchProblem.Severity, message: String)? {
        guard let status = FileStatus.of(path) else { return (.error, "\(path): \(String(cString: strerror(errno)))") }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: return (.error, "\(path) is a folder; winch put -r sends folders")
        case S_IFIFO where mayBeStream: return nil
        default: return (.error, "\(path) is neither a file nor a FIFO")
        }
        guard access(path.cBytes, R_OK) == 0 else { return (.error, "\(path): \(String(cString: strerror(errno)))") }
        return status.st_size == 0 && !UnsizedFile.hasOtherSize(path, status) ? (.warning, "\(path) is empty") : nil
    }
}
