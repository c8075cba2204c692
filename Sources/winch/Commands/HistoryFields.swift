import WinchLedger
import WinchModel
import WinchTerminal

/// An entry of the history in words and as fields separated by TABs, for `winch history --tsv`.
extension HistoryEntry {
    /// The outcome in one word.
    var word: String {
        switch outcome {
        case .finished(.saved): "finished"
        case .finished(.sent): "uploaded"
        case .finished(.alreadyComplete): "existing"
        case .finished(.skipped): "skipped"
        case .finished(.listed): "listed"
        case .failed: "failed"
        case .cancelled, .unfinished, .paused: "cancelled"
        }
    }

    var failure: TransferFailure? {
        if case .failed(let failure) = outcome { failure } else { nil }
    }

    /// Why the transfer failed; empty when it did not.
    var reason: String { failure?.message ?? "" }

    /// The fields separated by TABs, for other programs. `PlainText` removes TABs and line ends from the fields.
    var fields: String {
        [
            LocalTime.text(settledAt), word, size.map { "\($0.bytes)" } ?? "",
            duration.map { "\($0.components.seconds)" } ?? "", name, folder, url, reason,
        ].map { PlainText($0).description }.joined(separator: "\t")
    }
}
