import WinchBatch
import WinchModel

/// Reads a batch in pieces. Leaves out entries that an earlier one makes superfluous, and those that cannot be carried out.
struct DistinctReader: Sendable {
    private var reader: BatchReader
    private let reasonWithoutInput: String?
    private let checksSources: Bool
    /// The lines of the duplicates.
    private(set) var duplicates: [Int32] = []
    private var found: [BatchProblem] = []

    /// - Parameters:
    ///   - reasonWithoutInput: why standard input cannot be uploaded; `nil`: it can.
    ///   - checksSources: the files of uploads are looked at, and what is wrong with them is a problem.
    init(_ reader: BatchReader, reasonWithoutInput: String?, checksSources: Bool = false) {
        (self.reader, self.reasonWithoutInput, self.checksSources) = (reader, reasonWithoutInput, checksSources)
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

    private mutating func note(_ severity: BatchProblem.Severity, _ message: String, _ line: Int32) {
        found.append(BatchProblem(line: Int(line), severity: severity, message: message))
    }
}
