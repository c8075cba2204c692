package import WinchModel

/// Finds entries that ask for the same file as an earlier one (the same first URL, folder and name), and uploads that would
/// replace another upload of the same run.
///
/// Stores a hash of 128 bits for each entry instead of the entry itself, because a list may have a million entries. Its seed
/// is random in each process: two of a million files have the same hash in one of 10^26 runs, and no list can provoke it.
package struct DuplicateFilter: Sendable {
    private struct Mark: Hashable {
        var low: Int
        var high: Int
    }

    private struct Demand: Hashable {
        var file: WantedFile
        var checksum: Checksum
    }

    /// Files, and files with the checksum that an entry demands.
    private var seen: Set<Mark> = []
    /// Where standard input goes, which has its bytes only once.
    private var goalOfStandardInput: String?
    /// What is sent to each URL.
    private var sources: [Mark: UploadOrder] = [:]

    package enum Verdict: Equatable, Sendable {
        case new
        /// An earlier entry asks for the same file.
        case duplicate
        /// Another file is uploaded to the same URL, the same stream to another, or the same file is to have another checksum.
        /// The text says which, for the user.
        case clash(String)
    }

    package init() {}

    package mutating func judge(_ spec: TransferSpec) -> Verdict {
        guard let wanted = spec.wanted else { return .new }
        let isFirst = seen.insert(mark(of: wanted)).inserted
        if let checksum = spec.settings.value.checksum ?? spec.listedChecksum {
            let isDemanded = !seen.insert(mark(of: Demand(file: wanted, checksum: checksum))).inserted
            // Left out as a duplicate, its checksum would not be verified.
            guard isFirst || isDemanded else {
                return .clash("an earlier entry for the same file does not have this checksum")
            }
        }
        guard isFirst else { return .duplicate }
        guard let url = spec.urls.first, let upload = spec.upload else { return .new }
        if upload.content == .standardInput {
            if let goal = goalOfStandardInput {
                return .clash("standard input can be read once, and goes to \(goal); send it to one URL")
            }
            goalOfStandardInput = url.redacted
        }
        guard let replaced = spec.replacedFile else { return .new }
        let place = mark(of: replaced)
        guard let other = sources[place] else {
            sources[place] = upload
            return .new
        }
        return .clash(upload.clash(with: other, at: url))
    }

    private func mark(of key: some Hashable) -> Mark { Mark(low: hash(key, 0), high: hash(key, 1)) }

    private func hash(_ key: some Hashable, _ half: UInt8) -> Int {
        var hasher = Hasher()
        hasher.combine(half)
        hasher.combine(key)
        return hasher.finalize()
    }
}
