import WinchHTTP
import WinchModel

/// A response that is a Metalink: its files are reported instead of being saved.
extension DownloadConnection {
    /// Begins to keep the body in memory, if it is a Metalink that is to be followed.
    ///
    /// - Throws: when it is one that another Metalink names: lists that name each other would have no end.
    func beginMetalink() throws(TransferFailure) -> Bool {
        guard settings.metalink != .save, head.status == 200, MetalinkBody.mayBeOne(head) else { return false }
        let url = easy?.effectiveURL.flatMap { try? TransferURL($0) } ?? request.url
        guard MetalinkBody.isOne(head, at: url) else { return false }
        guard settings.metalink == .follow else {
            throw .badResponse("this is a Metalink, and was named by another one; only one level is followed")
        }
        metalink = try MetalinkBody(head)
        closingConnection = head.endsWithConnection ? easy?.tlsConnection : nil
        phase = .collecting
        return true
    }

    /// - Returns: false ends the request.
    func collect(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(TransferFailure) {
            try metalink?.append(bytes)
            return true
        } catch {
            decision = .fail(error)
            return false
        }
    }

    /// The body is complete. Nothing is left on disk of it.
    ///
    /// - Throws: when it was cut short, or has no usable file.
    func reportMetalink() throws(TransferFailure) {
        guard let metalink else { return }
        if let closingConnection, let easy, !easy.hasEndedProperly(closingConnection) {
            throw .cutShort(have: metalink.size, expected: nil)
        }
        var listing = try metalink.listing(for: request)
        if isEndUnverified, case .listed(let specs, let size, nil) = listing {
            listing = .listed(specs, size: size, warning: .endNotVerified)
        }
        _ = download.close()
        report(listing)
    }
}
