import Glibc
import WinchCore

/// Before the request: the folder, the name, and what is there already.
extension Download {
    /// - Returns: what to ask the server; `nil` when there is nothing to ask and all is reported.
    func begin() -> EasyRequest? {
        do throws(TransferFailure) {
            guard !request.url.isFolder else { throw .remoteFile(.folder, path: remotePath) }
            if request.url.scheme == .sftp {
                ssh = try SSHAccess(request.url, settings, sshHome, at: outbox.now)
            }
            if let resume = request.resume {
                try goOn(resume)
            } else if let outcome = try startFresh() {
                finish(outcome)
                return nil
            }
            return nextRequest
        } catch {
            fail(error)
            return nil
        }
    }

    /// The path at the server, as a message shows it.
    var remotePath: String { PercentCoding.decoded(request.url.pathText) }

    var nextRequest: EasyRequest {
        if let folderQuestion {
            return folderQuestion.request(
                settings: request.settings, ssh: ssh?.request, needsFreshConnection: needsFreshConnection)
        }
        return EasyRequest(
            url: hop?.url ?? ssh?.target.url ?? request.url, settings: hop?.settings ?? request.settings,
            range: isHTTP ? asked?.rangeText : nil, condition: isHTTP ? condition : nil,
            resumeFrom: isHTTP ? 0 : asked?.start ?? 0, login: login, needsFreshConnection: needsFreshConnection,
            ssh: ssh?.request)
    }

    private var condition: String? {
        if let asked { return asked.condition.map { "If-Range: " + $0.headerValue } }
        return found?.condition
    }

    /// Opens the part of an earlier attempt, which may be shorter now than it was, or longer, or gone.
    private func goOn(_ resume: ResumePoint) throws(TransferFailure) {
        let (folders, partName) = try Self.split(resume.partPath)
        let folder = try files.folders.folder(request.folder, parts: folders)
        self.folder = folder
        try reserve(Self.split(resume.targetPath).name, in: folder)
        part = PartFile.reopen(partName, in: folder, claim(resume))
        validator = resume.validator
        total = resume.total?.bytes
        guard let part else {
            do throws(TransferFailure) {
                try PartHolder.refuse(partName, in: folder, of: nil)
            } catch {
                // It is there, and the other process makes it longer rather than shorter.
                isPartElsewhere = true
                throw error
            }
            startedOver = .lostOnRetry
            return
        }
        // What the part says of itself was written with its bytes; the resume point may be older.
        if let own = part.attributes { (validator, total) = (own.validator, own.total) }
        ask(for: part)
        if asked == nil, resume.have.bytes > 0 { startedOver = .lostOnRetry }
    }

    /// - Returns: how it ended, when no network is needed for that.
    private func startFresh() throws(TransferFailure) -> (RowPhase.Outcome, Int64)? {
        let folder = try files.folders.folder(request.folder, parts: request.name?.folders ?? [])
        self.folder = folder
        reserve(request.name?.name ?? TargetName(url: request.url).text, in: folder)
        if let outcome = try conflict() { return outcome }
        if folder.mayHold(part: targetName + ".part") {
            try PartHolder.refuse(targetName + ".part", in: folder, of: request.url)
        }
        if !adopt(in: folder) { found = findComplete() }
        return nil
    }

    func reserve(_ wish: String, in folder: TargetFolder) {
        targetName = files.names.reserve(
            request.id, wish, of: request.url.redacted, in: folder, replaces: settings.onConflict != .rename)
    }

    /// For `skip` and `fail` an existing file decides at once.
    func conflict() throws(TransferFailure) -> (RowPhase.Outcome, Int64)? {
        guard let folder, settings.onConflict == .skip || settings.onConflict == .fail,
            let status = folder.status(of: targetName)
        else { return nil }
        guard settings.onConflict == .skip else { throw .nameTaken(folder.path(of: targetName)) }
        return (.skipped(path: folder.below + targetName), Int64(status.st_size))
    }

    /// Goes on with the part of an earlier run, if there is one that says it is of this address.
    ///
    /// - Returns: whether there is a part now.
    @discardableResult func adopt(in folder: TargetFolder) -> Bool {
        for number in 0..<Self.partsTried {
            let name = PartFile.name(of: targetName, number)
            guard folder.mayHold(part: name), let found = PartFile.reopen(name, in: folder, claim(nil)),
                let own = found.attributes
            else { continue }
            part = found
            (validator, total) = (own.validator, own.total)
            ask(for: found)
            return true
        }
        return false
    }

    /// Foreign parts of the same name that are passed over in search of our own.
    private static let partsTried = 4

    private func claim(_ told: ResumePoint?) -> PartClaim { PartClaim([request.url] + request.mirrors, told: told) }

    /// Asks for what the part does not have, if anything can prove that it belongs to it.
    func ask(for part: PartFile) {
        let resume = ResumePoint(
            partPath: part.name, targetPath: targetName, have: ByteCount(bytes: part.written),
            total: total.map { ByteCount(bytes: $0) }, validator: validator)
        let isElsewhere = request.isNewAddress || part.attributes.map { $0.url != request.url.redacted } ?? false
        asked = RangeRequest(resume, isElsewhere: isElsewhere, isComparing: isComparing || !part.isOurs)
        // FTP knows no validator: the size must agree, and the overlap.
        if !isHTTP, asked?.total == nil { asked = nil }
    }

    /// A path below the target folder, as this run or an earlier one wrote it down.
    private static func split(_ path: String) throws(TransferFailure) -> (folders: [Substring], name: String) {
        let parts = path.pathParts
        guard let name = parts.last, !parts.contains(".."), !parts.contains("."), path.first != "/" else {
            throw .folder(path, reason: "not a path below the target folder")
        }
        return (Array(parts.dropLast()), String(name))
    }
}
