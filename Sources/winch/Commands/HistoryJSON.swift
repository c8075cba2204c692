import WinchLedger
import WinchModel
import WinchTerminal

/// An entry of the history in JSON, for `winch history --json`.
extension HistoryEntry {
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
