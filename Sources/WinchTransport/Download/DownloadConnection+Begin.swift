import WinchModel

/// Before the request: the folder, the name, and what is there already.
extension DownloadConnection {
    /// - Returns: what to ask the server; `nil` when there is nothing to ask: `decision` says why.
    func begin() throws(TransferFailure) -> EasyRequest? {
        guard !request.url.isFolder else { throw .remoteFile(.folder, path: asked.remotePath) }
        if request.url.scheme == .sftp {
            asked.use(try SSHAccess(request.url, settings, sshHome, at: outbox.now))
        }
        if let resume = request.resume {
            try continueDownload(resume)
        } else if let (outcome, size) = try startFresh() {
            decision = .finish(outcome, size: size)
            return nil
        }
        return asked.easyRequest
    }

    /// Opens the part of an earlier attempt, which may be shorter now than it was, or longer, or gone.
    private func continueDownload(_ resume: ResumePoint) throws(TransferFailure) {
        let (folders, partName) = try Self.split(resume.partPath)
        let preferred = try Self.split(resume.targetPath).name
        let target = try DownloadTarget(request, files: download.files, parts: folders, preferred: preferred)
        download.target = target
        download.version = FileVersion(total: resume.total?.bytes, validator: resume.validator)
        guard let part = PartFile.reopen(partName, in: target.folder, target.claim(resume)) else {
            do throws(TransferFailure) {
                try PartHolder.refuse(partName, in: target.folder, of: nil)
            } catch {
                // The part is there, and the other process only adds to it.
                download.body.noteHeldElsewhere()
                throw error
            }
            // An earlier run may have ended between giving the file its name and writing that down.
            if let file = AlreadyCompleteFile.find(for: request, at: target) { return asked.ask(unlessUnchanged: file) }
            return asked.askForWhole(because: .lostOnRetry)
        }
        // What the part says of itself was written with its bytes; the resume point may be older.
        continueDownload(with: part, FileVersion(part.attributes) ?? download.version)
        if asked.range == nil, !resume.onDisk.isEmpty { asked.askForWhole(because: .lostOnRetry) }
    }

    /// - Returns: how it ended, when no network is needed for that.
    private func startFresh() throws(TransferFailure) -> (TransferPhase.Outcome, Int64)? {
        let target = try DownloadTarget(request, files: download.files, parts: request.name?.folders ?? [])
        download.target = target
        if let outcome = try target.conflict() { return outcome }
        try target.refuseForeignWriter()
        if let (part, attributes) = target.ownPart() {
            continueDownload(with: part, FileVersion(attributes))
        } else if let file = AlreadyCompleteFile.find(for: request, at: target) {
            asked.ask(unlessUnchanged: file)
        }
        return nil
    }

    /// Goes on with a part that is there: the bytes go into it, and its rest is asked for.
    func continueDownload(with part: PartFile, _ version: FileVersion) {
        download.body.use(part)
        download.version = version
        askForRest(of: part)
    }

    func askForRest(of part: PartFile) {
        var resume = ResumePoint(
            partPath: part.name, targetPath: download.target?.name ?? "",
            total: download.version.total.map { ByteCount(bytes: $0) },
            validator: download.version.validator)
        resume.onDisk = part.held
        asked.askForRest(of: resume, writtenFor: part.attributes?.url, belongsToTransfer: part.belongsToTransfer)
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
