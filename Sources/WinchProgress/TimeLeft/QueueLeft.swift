package import WinchModel

/// What is left of a queue of files.
package struct QueueLeft: Hashable, Sendable {
    /// Bytes to come; an unknown size counts as the mean of the known ones.
    package var bytes: Double
    /// Files not yet finished.
    package var files: Int

    package init(bytes: Double, files: Int) {
        self.bytes = max(0, bytes)
        self.files = max(0, files)
    }

    /// - Parameters:
    ///   - known: sum of the sizes that are known, those of `sized` of the `files` files.
    ///   - have: bytes that came.
    /// - Returns: `nil` while no size is known: nothing to guess from.
    package init?(known: ByteCount, sized: Int, files: Int, done: Int, have: ByteCount) {
        guard sized > 0 else { return nil }
        let mean = Double(known.bytes) / Double(sized)
        self.init(
            bytes: Double(known.bytes) + mean * Double(max(0, files - sized)) - Double(have.bytes), files: files - done)
    }
}
