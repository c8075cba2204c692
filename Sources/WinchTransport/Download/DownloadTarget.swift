import Glibc
import WinchHTTP
import WinchModel

/// Where a file is to go: the folder, and the name that the transfer holds in it.
struct DownloadTarget {
    private let request: ConnectionRequest
    private let files: FileServices
    private(set) var folder: TargetFolder
    /// The name that is held; with a number when the wished one belongs to another transfer.
    private(set) var name: String
    /// From Content-Disposition.
    private var serversName: String?

    /// Opens the folder, making what is missing, and reserves a name.
    ///
    /// - Parameters:
    ///   - parts: folders below the transfer's own.
    ///   - wish: `nil`: the name of the transfer or, without one, of its URL.
    init(
        _ request: ConnectionRequest, files: FileServices, parts: [Substring], preferred: String? = nil
    ) throws(TransferFailure) {
        self.request = request
        self.files = files
        folder = try files.folders.folder(request.folder, named: request.namedParts, parts: parts)
        name = ""
        reserve(preferred ?? preferredName)
    }

    /// The name without the number that keeps it apart from others.
    var preferredName: String { folder.fitting(listedName) }

    /// The name by which a checksum list has the file, whatever the folder makes of it.
    var listedName: String { serversName ?? request.preferredName }

    var path: String { folder.below + name }

    private mutating func reserve(_ preferred: String) {
        name = files.names.reserve(
            request.transfer, preferred, of: request.url.redacted, in: folder,
            replaces: request.settings.value.onConflict != .rename)
    }

    /// A name in Content-Disposition takes the place of the URL's, unless the user or a listing named the file, or a part has its
    /// name.
    ///
    /// - Returns: false when it names none, or none that may be used.
    mutating func takeServersName(_ head: ResponseHead) -> Bool {
        guard request.name == nil, request.namedParts == 0, request.resume == nil, let disposition = head.disposition,
            let text = ContentDisposition.filename(disposition), let preferred = TargetName(sanitizing: text)
        else { return false }
        serversName = preferred.text
        reserve(preferredName)
        return true
    }

    /// For `skip` and `fail` an existing file decides at once, for `overwrite` what it would not replace.
    ///
    /// - Parameters:
    ///   - isNameKnown: the server cannot give the file another name any more.
    ///   - hasHashes: the file must have certain hashes, which those of an `ExistingFile` have been compared with.
    ///
    /// - Returns: the outcome and the file's size; `nil`: there is no such file, or it does not matter here.
    /// - Throws: `.nameTaken`, or where `skip` finds a folder `.folder`, and what has no hashes `.readWrite`.
    func conflict(
        isNameKnown: Bool, hasHashes: Bool
    ) throws(TransferFailure) -> (TransferPhase.Outcome, Int64)? {
        switch request.settings.value.onConflict {
        case .rename: return nil
        case .overwrite:
            if isNameKnown { try folder.refuseIrreplaceable(name) }
            return nil
        case .skip:
            guard let status = folder.status(of: name) else { return nil }
            try folder.refuseFolder(name)
            if hasHashes {
                let reason = "exists already and cannot be read, so its checksum is not known (--on-conflict)"
                throw .readWrite(folder.path(of: name), reason: reason)
            }
            return (.skipped(path: path), Int64(status.st_size))
        case .fail:
            guard folder.status(of: name) == nil else { throw .nameTaken(folder.path(of: name)) }
            return nil
        }
    }
}

// MARK: - Parts

extension DownloadTarget {
    /// The part of an earlier run, if there is one that says it is of this address.
    ///
    /// - Returns: the part, and what it says of itself.
    func ownPart() -> (part: PartFile, attributes: PartAttributes)? { part(by: claim(nil)) }

    /// The part of a URL that differs from this one in its query alone. Only the server can tell whether it is of the same file.
    func partOfOtherQuery() -> (part: PartFile, attributes: PartAttributes)? {
        part(by: PartClaim([request.url], acceptsOtherQuery: true))
    }

    private func part(by claim: PartClaim) -> (part: PartFile, attributes: PartAttributes)? {
        for name in folder.partNames(of: name) {
            if let part = PartFile.reopen(name, in: folder, claim), let attributes = part.attributes {
                return (part, attributes)
            }
        }
        return nil
    }

    /// `NAME.part`, if it is a file that does not say where it comes from: it was copied without its attributes, or another
    /// program made it.
    func unknownPart() -> (name: String, size: Int64)? {
        let part = PartFile.name(of: name, 0)
        guard folder.mayHold(part: part) else { return nil }
        guard let file = folder.opened(part), let status = file.status, status.isFile, status.st_size > 0,
            [Attribute.url, .origin, .rejected].allSatisfy({ $0.get(from: file) == nil })
        else { return nil }
        return (part, Int64(status.st_size))
    }

    /// Opens such a part, whose bytes must be compared before anything is written to it.
    func presumed(part: String, size: Int64) -> PartFile? {
        PartFile.reopen(
            part, in: folder, claim(ResumePoint(partPath: part, targetPath: name, have: ByteCount(bytes: size))))
    }

    /// - Throws: `.inUse` when another process writes a part that may be the transfer's.
    func refuseForeignWriter() throws(TransferFailure) {
        guard folder.mayHold(part: name + ".part") else { return }
        try PartHolder.refuse(name + ".part", in: folder, of: request.url)
    }

    /// By what a part is known to be the transfer's.
    func claim(_ resume: ResumePoint?) -> PartClaim {
        PartClaim([request.url] + request.mirrors, lastKnown: resume, hasHashes: hasHashes)
    }

    /// The user, a list or a Metalink says what the file hashes to.
    var hasHashes: Bool {
        request.pieces != nil
            || !ExpectedChecksum.own(request.settings.value, listed: request.listedChecksum).isEmpty
    }

    /// Makes a new part. The folder may have been removed since it was opened: then it is made again.
    mutating func createPart(_ attributes: PartAttributes) throws(TransferFailure) -> PartFile {
        try PartHolder.refuse(name + ".part", in: folder, of: request.url)
        do throws(TransferFailure) {
            return try PartFile.create(for: name, in: folder, attributes)
        } catch {
            guard folder.isGone else { throw error }
            files.folders.forget(folder)
            folder = try folder.again()
            reserve(name)
            return try PartFile.create(for: name, in: folder, attributes)
        }
    }
}

extension ConnectionRequest {
    /// Before the server names the file, and before its folder is asked what names it takes.
    var preferredName: String { name?.name ?? TargetName(url: url).text }
}
