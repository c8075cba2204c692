import WinchLedger
import WinchModel
import WinchTerminal

/// An entry of the history as `winch history` prints it for programs: fields separated by TABs, or JSON.
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

    /// One JSON object; names as in the events of `--output json`.
    var json: String {
        var line = JSONLine()
        line.set("time", Double(settledAt.milliseconds) / 1000, digits: 3)
        line.set("outcome", outcomeName)
        line.set("name", name)
        line.set("folder", folder)
        line.set("url", url)
        line.set("size", size?.bytes)
        line.set("downloaded", received.bytes)
        line.set("seconds", duration?.seconds, digits: 3)
        if let failure { line.set(failure) }
        return line.text
    }

    private var outcomeName: String {
        if case .finished(let finished) = outcome { finished.word } else { outcome.word }
    }
}
