import Glibc
package import WinchModel

/// A target folder that is only looked at: it is not made, and nothing in it is changed but by `removeParts`.
package struct LocalFolder: Sendable {
    /// What is there of a file that a listing names.
    package enum Finding: Hashable, Sendable {
        case missing
        /// The file is there under this name as it is listed, with so many bytes.
        case same(name: String, bytes: Int64)
        /// Another version is there, or one of which nothing tells that it is the same.
        ///
        /// - Parameters:
        ///   - own: the name of the file, if it is as Winch has written it; `nil`: it may be a file of the user's.
        ///   - finished: by it the server can say whether it has another version now; `nil`: the ledger has none.
        case changed(own: String?, finished: FinishedFile? = nil)
    }

    private let descriptor: Descriptor
    private let longestName: Int

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
    /// - Parameters:
    ///   - earlier: how an earlier run has finished it; `nil`: it is not known.
    ///   - claims: those of the run; the file gets the name under which it is found, or would be made.
    package func find(_ spec: TransferSpec, earlier: LedgerEntry?, _ claims: inout NameClaims) -> Finding {
        guard let url = spec.urls.first else { return .missing }
        let version = spec.listedVersion ?? ListedVersion()
        if let earlier, case .finished(let outcome) = earlier.standing, !outcome.path.utf8.contains(UInt8(ascii: "/")),
            let local = file(outcome.path), earlier.describes(local)
        {
            claims.note(outcome.path, in: spec.folder, for: url)
            if version.judge(local: local, earlier: earlier) == .same {
                return .same(name: outcome.path, bytes: local.length)
            }
            return .changed(own: outcome.path, finished: earlier.validator.map { FinishedFile(local, $0) })
        }
        let address = TransferURL.withoutSecrets(url.redacted)
        let preferred = name(Self.preferredName(of: spec, url))
        return claims.first(of: preferred, in: spec.folder, for: url, ignoresCase: ignoresCase) { name in
            guard let status = descriptor.status(of: name) else { return .missing }
            // The file gets the next number beside a folder or a link.
            guard status.isFile else { return nil }
            let local = FileIdentity(status)
            if version.judge(local: local, earlier: nil) == .same { return .same(name: name, bytes: local.length) }
            guard let origin = origin(of: name, as: local) else { return .changed(own: nil) }
            // An earlier version may have hidden less.
            let isOwn = TransferURL.withoutSecrets(origin.url) == address
            return isOwn ? .changed(own: origin.isUntouched ? name : nil) : nil
        }
    }

    /// As `find` in a folder that is not there yet.
    package static func findNothing(of spec: TransferSpec, _ claims: inout NameClaims) -> Finding {
        guard let url = spec.urls.first else { return .missing }
        let preferred = preferredName(of: spec, url)
        return claims.first(of: preferred, in: spec.folder, for: url, ignoresCase: { _ in false }) { _ in .missing }
    }

    /// Removes the parts that earlier attempts have left of files that are here as they are listed: they get no rows, so nothing
    /// else would. In a folder of so many names that each part would have to be asked for they stay.
    ///
    /// - Parameter files: with the names under which they were found; those of one folder follow each other.
    package static func removeParts(of files: [(spec: TransferSpec, name: String)]) {
        var last: TargetFolder?
        for (spec, name) in files {
            if last?.root != spec.folder {
                last = try? TargetFolder.open(spec.folder, named: spec.namedParts, parts: [])
            }
            guard let folder = last, folder.knowsParts else { continue }
            PartClaim(Array(spec.urls)).removeParts(of: name, in: folder)
        }
    }

    private static func preferredName(of spec: TransferSpec, _ url: TransferURL) -> String {
        spec.name?.name ?? TargetName(url: url).text
    }

    /// The folder takes the file's name for the same in the other case, as on FAT. Seen by the file, since nothing is made here.
    private func ignoresCase(for name: String) -> Bool {
        let capitals = name.uppercased()
        let other = capitals == name ? name.lowercased() : capitals
        guard other != name, let here = descriptor.status(of: name), let there = descriptor.status(of: other) else {
            return false
        }
        return here.st_ino == there.st_ino && here.st_dev == there.st_dev
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

/// The names that the files of a run's folders have here, or would get. A file under a name that another URL of the run has is
/// not the one that is listed, though it may have its size and its time: it may just have been downloaded.
///
/// Kept as hashes: a million names take 32 MiB.
package struct NameClaims: Sendable {
    private struct Claim {
        var url: UInt32
        /// Of the path as it is written.
        var path: UInt32
    }

    /// By the path as a file system has it that regards no case and refuses some characters.
    private var claims: [Int: Claim] = [:]

    /// Files of the same name from other URLs that are passed over.
    private static let namesTried = 8

    package init() {}

    /// Gives the URL the first of its names that no other URL has, and under which `look` does not find the file of another one.
    ///
    /// - Parameters:
    ///   - ignoresCase: whether the folder takes a name that is there for the same in another case.
    ///   - look: `nil`: the file of another URL.
    fileprivate mutating func first(
        of preferred: String, in folder: String, for url: TransferURL, ignoresCase: (String) -> Bool,
        _ look: (String) -> LocalFolder.Finding?
    ) -> LocalFolder.Finding {
        for number in 0..<Self.namesTried {
            let name = TargetName.numbered(preferred, number)
            let (key, claim) = Self.claim(name, in: folder, for: url)
            let isTaken = claims[key].map { $0.url != claim.url && ($0.path == claim.path || ignoresCase(name)) }
            guard isTaken != true, let finding = look(name) else { continue }
            if claims[key] == nil { claims[key] = claim }
            return finding
        }
        return .missing
    }

    fileprivate mutating func note(_ name: String, in folder: String, for url: TransferURL) {
        let (key, claim) = Self.claim(name, in: folder, for: url)
        claims[key] = claim
    }

    private static func claim(_ name: String, in folder: String, for url: TransferURL) -> (key: Int, claim: Claim) {
        let path = folder + "/" + name
        let alike = folder + "/" + TargetName.fitting(name, longest: TargetName.longest, refusesReserved: { true })
        var hasher = Hasher()
        hasher.combine(alike.lowercased())
        return (hasher.finalize(), Claim(url: short(url.text), path: short(path)))
    }

    /// By its bytes: equal texts may have other ones.
    private static func short(_ text: String) -> UInt32 {
        var (copy, hasher) = (text, Hasher())
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }
}
