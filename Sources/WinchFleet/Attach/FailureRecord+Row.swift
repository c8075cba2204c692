import WinchModel

extension FailureRecord {
    /// The name of the machine, from that of the worker: without the number that makes it unique.
    var machine: String { worker.lastIndex(of: "-").map { String(worker[..<$0]) } ?? worker }

    /// How a dashboard shows it. The row's ID is set by the caller.
    var row: TransferSnapshot {
        let spec = isBase64 ? nil : try? FleetEntry.spec(Array(text.utf8), in: WorkingFolder("/"))
        let url = spec?.urls.first
        return TransferSnapshot(
            id: TransferID(0), name: spec?.expectedName ?? firstURL,
            host: url?.hostKey ?? "", phase: .failed(.other(reason)))
    }
}
