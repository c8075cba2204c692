import Glibc
import WinchCore

extension Download {
    /// The file that has the name, or the name with one of the first numbers, if it says that it came from this address,
    /// and is as long as it was then.
    ///
    /// With a checksum to hold the bytes themselves are wanted, and the file is fetched and compared as any other.
    func findComplete() -> CompleteFile? {
        guard isHTTP, settings.checksum == nil, request.listedChecksum == nil,
            settings.onConflict == .rename || settings.onConflict == .overwrite,
            let folder
        else { return nil }
        for number in 0..<(settings.onConflict == .rename ? Self.namesTried : 1) {
            let name = number == 0 ? targetName : TargetName.numbered(wishedName, number)
            guard let status = folder.status(of: name) else { return nil }
            if let found = complete(name, status, in: folder) { return found }
        }
        return nil
    }

    /// Files of the same name from other addresses that are passed over.
    private static let namesTried = 8

    private func complete(_ name: String, _ status: stat, in folder: TargetFolder) -> CompleteFile? {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        let number = openat(folder.descriptor.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0, let attributes = PartAttributes.read(fromFinished: Descriptor(number)),
            attributes.url == request.url.redacted, let validator = attributes.validator,
            attributes.total == Int64(status.st_size)
        else { return nil }
        return CompleteFile(name: name, size: Int64(status.st_size), validator: validator)
    }

    /// Settles the transfer if the answer is about the very version that is there.
    func leave(_ file: CompleteFile) {
        guard let folder, head.status == 304 || isAbout(file) else { return }
        outcome = (.alreadyComplete(path: folder.below + file.name), file.size)
    }

    private func isAbout(_ file: CompleteFile) -> Bool {
        head.status == 200 && file.validator == head.validator && head.bodyLength == file.size
    }
}
