package import WinchModel

/// A file that a Metalink describes. It has at least one URL.
package struct MetalinkFile: Hashable, Sendable {
    /// The line of its `<file>`, from 1.
    package var line: Int
    /// Below the target folder. Each part is a safe name, as if a server had sent it.
    package var path: TargetPath
    /// `nil` when the Metalink does not say.
    package var size: ByteCount?
    /// The strongest of its hashes; `nil` without one that Winch knows.
    package var checksum: Checksum?
    /// The strongest of its lists of piece hashes; `nil` without one that is complete.
    package var pieces: PieceHashes?
    /// In the order in which they are to be used, without duplicates.
    package var urls: [TransferURL]

    package init(
        line: Int, path: TargetPath, size: ByteCount? = nil, checksum: Checksum? = nil, pieces: PieceHashes? = nil,
        urls: [TransferURL]
    ) {
        self.line = line
        self.path = path
        self.size = size
        self.checksum = checksum
        self.pieces = pieces
        self.urls = urls
    }
}
