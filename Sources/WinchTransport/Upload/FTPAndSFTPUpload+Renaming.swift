import WinchHTTP
import WinchModel

/// The file is at the server, and gets its own name.
extension FTPAndSFTPUpload {
    private func sibling(_ name: String) -> TransferURL? {
        target.folder.flatMap { try? TransferURL($0.text + PercentCoding.encoded(name)) }
    }

    private static let aside = ".new"

    /// - Parameter isAside: it has the second temporary name.
    mutating func rename(_ isReplacing: Bool, isAside: Bool = false) -> UploadStep {
        stage = .renaming(isReplacing: isReplacing)
        guard let temporary, let folder = target.folder else { return .done }
        let (from, to) = (temporary.fileName, target.fileName)
        guard !to.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return .failed(
                .remoteWrite(.rename, path: target.shownPath, details: "a control character in the name"), place: nil)
        }
        var request = UploadRequest(folder, settings)
        request.isHead = true
        if isSFTP {
            let (source, goal) = (folder.commandPath(of: from), folder.commandPath(of: to))
            let rename = "rename \(source) \(goal)"
            // The old file is not removed where the server refuses to rename at all; a folder is not removed by `rm`.
            let other = folder.commandPath(of: from + Self.aside)
            let (there, back) = ("rename \(source) \(other)", "rename \(other) \(source)")
            // libcurl goes on after a command with an asterisk that fails: the old file may have been removed before the
            // connection was lost.
            let mode = replaced.map { ["*chmod \(String($0.permissions, radix: 8)) \(source)"] } ?? []
            let trial = (isAside ? [] : [there]) + [back] + mode + [(hasSought ? "*" : "") + "rm \(goal)"]
            request.commandsBefore = (isReplacing ? trial : []) + [rename]
        } else {
            request.commandsAfter = ["RNFR \(from)", "RNTO \(to)"]
        }
        return .request(request)
    }

    mutating func renamed(_ isReplacing: Bool, _ answer: UploadAnswer) -> UploadStep {
        guard let failure = answer.failure else { return .done }
        // A refusal; of SFTP libcurl says the same when the connection has ended.
        let isRefused = answer.code == .quoteFailed
        // SFTP servers do not rename over a file that is there.
        if isSFTP, !isReplacing, isRefused { return list() }
        if isRefused, !isSFTP || hasSought {
            return .failed(.remoteWrite(.rename, path: target.shownPath), place: place)
        }
        guard !hasSought else { return .failed(failure, place: renamingPlace) }
        hasSought = true
        return seek(.temporary, isReplacing, failure)
    }

    /// Reads the folder: SFTP tells modes, and libcurl has no other way to ask for them.
    mutating func list() -> UploadStep {
        guard let folder = target.folder else { return rename(true) }
        stage = .listing
        var request = UploadRequest(folder, settings)
        request.wanted = SFTPListing.longest
        return .request(request)
    }

    mutating func listed(_ answer: UploadAnswer) -> UploadStep {
        replaced = answer.failure == nil ? SFTPListing.entry(named: target.fileName, in: answer.body) : nil
        guard replaced?.isFolder == true else { return rename(true) }
        let words = "a folder has this name; end the URL with / to put the file into it"
        return discard(.remoteWrite(.rename, path: target.shownPath, details: words))
    }

    /// Removes what was sent: no other attempt can go on with it.
    mutating func discard(_ failure: TransferFailure) -> UploadStep {
        guard let temporary, let folder = target.folder else { return .failed(failure, place: nil) }
        stage = .discarding(after: failure)
        var request = UploadRequest(folder, settings)
        request.isHead = true
        request.commandsBefore = ["*rm \(folder.commandPath(of: temporary.fileName))"]
        return .request(request)
    }

    /// The next attempt finds out under which name the file is.
    private var renamingPlace: UploadPlace? {
        var place = place
        place?.isRenaming = true
        return place
    }

    mutating func seek(_ seat: Seat, _ isReplacing: Bool, _ failure: TransferFailure) -> UploadStep {
        stage = .seeking(seat, isReplacing: isReplacing, after: failure)
        switch seat {
        case .temporary: return askSize()
        case .aside: return askSize(of: temporary.flatMap { sibling($0.fileName + Self.aside) })
        case .target: return askSize(of: target)
        }
    }

    /// All of it was under the temporary name before: where that is gone, the server has renamed it.
    mutating func sought(
        _ seat: Seat, _ isReplacing: Bool, _ failure: TransferFailure, _ answer: UploadAnswer
    ) -> UploadStep {
        if let fault = answer.failure, !answer.isMissing { return .failed(fault, place: renamingPlace) }
        let isThere = answer.failure == nil
        // Without sizes nothing can be found out.
        if isThere, answer.size == nil { return .failed(failure, place: nil) }
        switch seat {
        case .temporary:
            guard !isThere else { return rename(isReplacing) }
            return seek(isReplacing && isSFTP ? .aside : .target, isReplacing, failure)
        case .aside: return isThere ? rename(true, isAside: true) : seek(.target, isReplacing, failure)
        case .target: return isThere && answer.size == whole ? .done : send(from: 0, .remoteFileGone)
        }
    }
}

extension UploadAnswer {
    /// There is no such file at an FTP or SFTP server.
    var isMissing: Bool {
        switch failure {
        case .remoteFile(.missing, _)?, .remoteFile(.missingOrDenied, _)?: true
        default: false
        }
    }
}
