import Glibc
package import WinchModel

/// A target folder that is only looked at: it is not made, and nothing in it is changed.
package struct LocalFolder: Sendable {
    /// What is there of a file that a listing names.
    package enum Finding: Hashable, Sendable {
        case missing
        /// The file is there as it is listed, with so many bytes.
        case same(bytes: Int64)
        /// Another version is there, or one of which nothing tells that it is the same.
        ///
        /// - Parameters:
        ///   - own: the name of the file, if it is as Winch has written it; `nil`: it may be a file of the user's.
        ///   - finished: by it the server can say whether it has another version now; `nil`: the ledger has none.
        case changed(own: String?, finished: FinishedFile? = nil)
    }

    private let descriptor: Descriptor
    private let longestName: Int

    /// Files of the same name from other URLs that are passed over.
    private static let namesTried = 8

    /// - Parameters: as of `TargetFolder.open`.
    /// - Returns: `nil` when there is none, or it cannot be read, or one of the `named` parts is a link.
    package init?(_ path: String, named: Int) {
        let (own, parts) = TargetFolder.split(path, named: named)
        guard var folder = Descriptor.open(own.isEmpty ? "." : own, TargetFolder.flags) else { return nil }
        for part in parts {
            guard part != "..", part != ".",
                let next = Descriptor.open(String(part), in: folder, TargetFolder.flags | O_NOFOLLOW)
            else { return nil }
            folder = next
        }
        longestName = TargetFolder.longestName(in: folder)
        descriptor = folder
    }

    /// Looks for the file under its name and the first numbered ones, which it got beside files from other URLs.
    ///
    /// - Parameter earlier: how an earlier run has finished it; `nil`: it is not known.
    package func find(_ spec: TransferSpec, earlier: LedgerEntry?) -> Finding {
        guard let url = spec.urls.first else { return .missing }
        let version = spec.listedVersion ?? ListedVersion()
        if let earlier, case .finished(let outcome) = earlier.standing, !outcome.path.utf8.contains(UInt8(ascii: "/")),
            let local = file(outcome.path), earlier.describes(local)
        {
            if version.judge(local: local, earlier: earlier) == .same { return .same(bytes: local.length) }
            return .changed(own: outcome.path, finished: earlier.validator.map { FinishedFile(local, $0) })
        }
        let preferred = name(spec.name?.name ?? TargetName(url: url).text)
        for number in 0..<Self.namesTried {
            let name = TargetName.numbered(preferred, number)
            guard let status = descriptor.status(of: name) else { return .missing }
            // The file gets the next number beside a folder or a link.
            guard status.isFile else { continue }
            let local = FileIdentity(status)
            if version.judge(local: local, earlier: nil) == .same { return .same(bytes: local.length) }
            guard let origin = origin(of: name, as: local) else { return .changed(own: nil) }
            if origin.url == TransferURL.withoutSecrets(url.redacted) {
                return .changed(own: origin.isUntouched ? name : nil)
            }
        }
        return .missing
    }

    /// The name that a file gets here: with a number where a folder or a link has its own.
    package func fileName(_ wished: String) -> String {
        numbered(name(wished)) { descriptor.status(of: $0)?.isFile ?? true }
    }

    /// The name that a folder gets here: with a number where a file has its own, which a folder of the server may have been.
    ///
    /// - Parameter isTaken: whether another folder has a name.
    package func folderName(_ wished: String, isTaken: (String) -> Bool) -> String {
        guard file(wished) != nil else { return wished }
        return numbered(wished) { file($0) == nil && !isTaken($0) }
    }

    private func numbered(_ name: String, isFree: (String) -> Bool) -> String {
        var number = 0
        while !isFree(TargetName.numbered(name, number)) { number += 1 }
        return TargetName.numbered(name, number)
    }

    /// As the folder has it: which characters its file system refuses is seen by what is there.
    private func name(_ wished: String) -> String {
        let name = TargetName.fitting(wished, longest: longestName, refusesReserved: { false })
        guard file(name) == nil else { return name }
        return TargetName.fitting(wished, longest: longestName, refusesReserved: { true })
    }

    /// The regular file of this name.
    private func file(_ name: String) -> FileIdentity? {
        guard let status = descriptor.status(of: name), status.isFile else { return nil }
        return FileIdentity(status)
    }

    /// Where a finished file says that it comes from, and whether nothing was written to it since.
    private func origin(of name: String, as local: FileIdentity) -> (url: String, isUntouched: Bool)? {
        guard let file = Descriptor.open(name, in: descriptor, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
            let url = Attribute.origin.get(from: file)
        else { return nil }
        return (url, Attribute.modified.get(from: file) == "\(local.modified)")
    }
}
