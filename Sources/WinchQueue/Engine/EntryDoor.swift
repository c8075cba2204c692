package import WinchModel

/// Makes entries of the queue out of what folders' listings and Metalinks name, as is done with what the user names.
package protocol EntryDoor: Sendable {
    /// Must not block.
    ///
    /// - Parameter enter: called once with what the specs come to, on any thread. Calls follow in the order in which this was
    ///   called, as far as something of earlier runs is looked for.
    func admitFound(_ specs: [TransferSpec], enter: @escaping @Sendable (Admitted) -> Void)
}
