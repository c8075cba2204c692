package import WinchModel

/// Parses a batch file: the grammar of aria2's input file.
///
/// An entry starts on a line without a leading blank: one URL, or several URLs separated by TABs, which are mirrors of one
/// file. The lines below it that begin with a blank are its `name=value` options. `#` in column 0 begins a comment; empty
/// lines, CRLF and a byte order mark are accepted.
///
/// - Source: aria2c(1), "Input File".
package struct BatchParser: Sendable {
    let folder: String
    let settings: Shared<TransferSettings>
    let places: Places
    let uploads: UploadFields

    /// - Parameters:
    ///   - folder: the target folder of entries without `dir=`.
    ///   - settings: the settings of an entry whose options do not change them.
    ///   - places: resolves the path of a `dir=` option.
    ///   - uploads: the upload options of an entry that has others or none of its own.
    package init(
        folder: String, settings: TransferSettings, places: Places = Places(), uploads: UploadFields = UploadFields()
    ) {
        self.uploads = uploads
        self.folder = folder
        self.settings = Shared(settings)
        self.places = places
    }

    /// The entries of a batch and its problems. An entry with an error is left out of `specs`.
    package struct Batch: Sendable {
        package var specs: [TransferSpec] = []
        /// The line of the URL of each entry in `specs`, from 1; same order, same count.
        package var lines: [Int32] = []
        /// In the order of their lines. A warning about an option that many entries have is reported once, with their number.
        package var problems: [BatchProblem] = []

        package var hasErrors: Bool { problems.contains { $0.severity == .error } }
    }

    /// Parses the bytes of a whole file. Never fails: what is wrong is in `problems` of the result.
    ///
    /// - Parameter isMetalink: the file has the name of a Metalink; without it the first bytes tell.
    package func parse(_ bytes: [UInt8], isMetalink: Bool = false) -> Batch {
        var reader = BatchReader(bytes, parser: self, isMetalink: isMetalink)
        var batch = reader.next(atMost: .max)
        batch.problems = reader.problems
        return batch
    }
}
