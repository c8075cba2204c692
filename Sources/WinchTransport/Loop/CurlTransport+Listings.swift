import WinchHTTP
import WinchModel

/// Listings of folders: how they begin and end.
extension CurlTransport {
    /// Counts what is in a folder that was taken for a file, and fails with that, so that the user can be asked.
    ///
    /// - Parameter speed: of the connection that has asked for the file; `nil`: there was none.
    func count(_ url: TransferURL, for request: ConnectionRequest, speed: SpeedWatch? = nil) {
        var request = request
        request.url = url
        start(listing: request, FolderOrder(counting: url), request.settings, speed: speed)
    }

    /// - Parameters:
    ///   - settings: of the request, without what the user has typed for the server.
    ///   - speed: of the connection before it in the same attempt; `nil`: there was none.
    func start(
        listing request: ConnectionRequest, _ order: FolderOrder, _ settings: Shared<TransferSettings>,
        speed: SpeedWatch? = nil
    ) {
        if handles.areIdle { nextTick = followingTick }
        for earlier in handles.listings.values where earlier.id.transfer == request.transfer { remove(earlier) }
        do throws(TransferFailure) {
            let listing = try ListingConnection(
                request, order, settings, outbox: outbox, sshHome: sshHome, copied: shared.copiedFolders,
                wallClock: wallClock)
            if let speed { listing.speed = speed }
            handles.listings[request.connection] = listing
            settle(listing, listing.begin())
        } catch {
            outbox.report(request.connection, .failed(error, retryAfter: nil, kept: nil))
        }
    }

    func settle(_ listing: ListingConnection, _ ending: ListingConnection.Ending) {
        switch ending {
        case .again(let request):
            do throws(TransferFailure) {
                try ask(request, for: listing)
            } catch {
                fail(listing, error)
            }
        case .listed(let specs, let warning, let isEmpty, let fingerprint):
            do throws(TransferFailure) {
                // The files of other folders make theirs.
                if isEmpty {
                    _ = try files.folders.folder(listing.request.folder, named: listing.request.namedParts)
                }
            } catch {
                return fail(listing, error)
            }
            remove(listing)
            shared.forget(listing.id.transfer)
            let size = ByteCount(bytes: listing.bytes)
            outbox.report(listing.id, .listed(specs, size: size, warning: warning, fingerprint: fingerprint))
        case .failed(let failure): fail(listing, failure)
        }
    }

    private func fail(_ listing: ListingConnection, _ failure: TransferFailure) {
        let wait = listing.head.retryAfter.flatMap { RetryAfter.wait($0, now: wallClock()) }
        listing.reportFound(isLast: true)
        remove(listing)
        outbox.report(listing.id, .failed(failure, retryAfter: wait, kept: nil))
    }

    private func remove(_ listing: ListingConnection) {
        handles.listings[listing.id] = nil
        drop(listing)
    }

    /// Ten times a second.
    func checkListings(late: Duration?) {
        for listing in handles.listings.values {
            if let late { listing.speed.exclude(late) }
            if let failure = listing.check() { fail(listing, failure) }
        }
    }

    /// - Returns: false when there is no such listing.
    func stop(listing id: ConnectionID) -> Bool {
        guard let listing = handles.listings[id] else { return false }
        remove(listing)
        outbox.report(id, .stopped(kept: nil))
        return true
    }

    func stopListings() {
        for id in handles.listings.keys.sorted() { _ = stop(listing: id) }
    }
}
