import WinchBatch
import WinchModel

/// A Metalink that the server names for the file says what it hashes to, and where else it is.
extension Download {
    /// The responses to the file's request name a Metalink: it is asked for once in an attempt, while the body comes.
    func noteDescription(at url: TransferURL?) {
        guard let url, describedBy == nil, request.settings.value.metalink == .follow, url != request.url,
            url.scheme == .http || url.scheme == .https
        else { return }
        describedBy = url
        isAwaitingDescription = true
        inbox.post(.describe(request.transfer))
    }

    /// The answer has come.
    ///
    /// - Parameter file: `nil`: nothing is known.
    /// - Returns: the mirrors that may be used, and the demanded hashes if they have changed.
    func take(_ file: MetalinkFile?) -> (mirrors: [TransferURL], demands: [ExpectedDigest]?) {
        isAwaitingDescription = false
        guard let file else { return ([], nil) }
        let demands = file.checksum.flatMap { hasher.describe($0) }
        if let demands, waitingEnd == nil, let part = body.part {
            hasher.runAgain(demands, on: part, total: version.total)
        }
        let mirrors = file.urls.filter {
            $0.isMirror(of: request.url, allowsDowngrade: request.settings.value.allowsDowngrade)
        }
        return (mirrors, demands)
    }
}
