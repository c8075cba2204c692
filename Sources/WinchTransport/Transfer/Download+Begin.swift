import Glibc
import WinchCore

/// Before the request: the folder, the name, and what is there already.
extension Download {
    /// - Returns: what to ask the server; `nil` when there is nothing to ask and all is reported.
    func begin() -> EasyRequest? {
        do throws(TransferFailure) {
            if let resume = request.resume {
                try goOn(resume)
            } else if let outcome = try startFresh() {
                report(.finished(outcome.0, size: ByteCount(bytes: outcome.1)))
                return nil
            }
            return nextRequest
        } catch {
            fail(error)
            return nil
        }
    }

    var nextRequest: EasyRequest {
        EasyRequest(
            url: request.url, settings: request.settings, range: isHTTP ? asked?.rangeText : nil,
            validator: isHTTP ? asked?.validator : nil, resumeFrom: isHTTP ? 0 : asked?.offset ?? 0, login: login)
    }

    /// Opens the part of an earlier attempt, which may be shorter now than it was, or gone.
    private func goOn(_ resume: ResumePoint) throws(TransferFailure) {
        let (folders, partName) = try Self.split(resume.partPath)
        let folder = try self.folders.folder(request.folder, parts: folders)
        self.folder = folder
        targetName = names.reserve(request.id, try Self.split(resume.targetPath).name, in: folder)
        part = PartFile.reopen(partName, in: folder)
        validator = resume.validator
        total = resume.total?.bytes
        guard let part else {
            try PartHolder.refuse(partName, in: folder, of: nil)
            startedOver = .lostOnRetry
            return
        }
        // The file knows better than whoever wrote down what it held, unless the machine went down under it.
        ask(for: resume, have: resume.isAfterReboot ? min(resume.have.bytes, part.written) : part.written)
        if asked == nil, resume.have.bytes > 0 { startedOver = .lostOnRetry }
    }

    /// - Returns: how it ended, when no network is needed for that.
    private func startFresh() throws(TransferFailure) -> (RowPhase.Outcome, Int64)? {
        let folder = try folders.folder(request.folder, parts: request.name?.folders ?? [])
        self.folder = folder
        targetName = names.reserve(request.id, request.name?.name ?? TargetName(url: request.url).text, in: folder)
        if let outcome = try conflict() { return outcome }
        if folder.mayHold(part: targetName + ".part") {
            try PartHolder.refuse(targetName + ".part", in: folder, of: request.url)
        }
        adopt(in: folder)
        return nil
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
    private func adopt(in folder: TargetFolder) {
        guard folder.mayHold(part: targetName + ".part"),
            let found = PartFile.reopen(targetName + ".part", in: folder), found.written > 0,
            let attributes = PartAttributes.read(from: found.file), attributes.url == request.url.redacted
        else { return }
        part = found
        validator = attributes.validator
        total = attributes.total
        let resume = ResumePoint(
            partPath: folder.below + found.name, targetPath: folder.below + targetName,
            total: total.map { ByteCount(bytes: $0) }, validator: validator)
        ask(for: resume, have: found.written)
    }

    private func ask(for resume: ResumePoint, have: Int64) {
        var resume = resume
        resume.have = ByteCount(bytes: have)
        asked = RangeRequest(resume)
        // FTP knows no validator: the size alone must agree.
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
