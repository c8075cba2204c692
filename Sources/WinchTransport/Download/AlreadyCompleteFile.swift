import Glibc
import WinchHTTP
import WinchModel

/// A file that an earlier run finished, and that need not be fetched once more.
struct AlreadyCompleteFile {
    var name: String
    var size: Int64
    var validator: Validator

    /// `If-None-Match: "v1"`: the server says whether it still has this version, and sends nothing then.
    var condition: String {
        switch validator {
        case .strongETag(let tag): "If-None-Match: " + tag
        case .lastModified(let date): "If-Modified-Since: " + date
        }
    }

    func isConfirmed(by head: ResponseHead) -> Bool {
        head.status == 304 || head.status == 200 && validator == head.validator && head.bodyLength == size
    }

    /// The file that has the target's name, or the name with one of the first numbers, if the ledger knows that it came from this
    /// address, or it says that itself, and it is as long as it was then, and has not been written to since.
    ///
    /// With hashes to hold the bytes themselves are wanted, and the file is fetched and compared as any other; without them it
    /// must have the size that a Metalink or the listing of its folder names: the server may confirm a date that has stayed the
    /// same with other bytes.
    static func find(for request: ConnectionRequest, at target: DownloadTarget) -> AlreadyCompleteFile? {
        let settings = request.settings.value
        guard request.url.scheme.isHTTP, settings.checksum == nil,
            request.listedChecksum == nil, request.pieces == nil,
            settings.onConflict == .rename || settings.onConflict == .overwrite
        else { return nil }
        for number in 0..<(settings.onConflict == .rename ? namesTried : 1) {
            let name = number == 0 ? target.name : TargetName.numbered(target.preferredName, number)
            guard let status = target.folder.status(of: name) else { return nil }
            if let found = AlreadyCompleteFile(name, status, in: target.folder, of: request),
                found.size == request.listedSize?.bytes ?? found.size,
                request.listedVersion?.size?.contains(found.size) ?? true
            {
                return found
            }
        }
        return nil
    }

    /// Files of the same name from other addresses that are passed over.
    private static let namesTried = 8

    private init?(_ name: String, _ status: stat, in folder: TargetFolder, of request: ConnectionRequest) {
        let identity = FileIdentity(status)
        // Small files get no attributes: thousands of them cost more than the files.
        let known = request.finishedFile.flatMap { $0.identity == identity ? $0.validator : nil }
        guard status.isFile,
            let validator = known ?? Self.validatorInAttributes(name, identity, in: folder, of: request.url)
        else { return nil }
        self.name = name
        size = Int64(status.st_size)
        self.validator = validator
    }

    private static func validatorInAttributes(
        _ name: String, _ identity: FileIdentity, in folder: TargetFolder, of url: TransferURL
    ) -> Validator? {
        guard let file = folder.opened(name), let attributes = PartAttributes.read(fromFinished: file),
            attributes.areFinished(of: url), attributes.version.total == identity.length
        else { return nil }
        // Earlier versions have not written down the time.
        let modified = Attribute.modified.get(from: file)
        return modified == nil || modified == "\(identity.modified)" ? attributes.version.validator : nil
    }
}
