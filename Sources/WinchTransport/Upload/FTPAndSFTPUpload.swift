import Hashing
import WinchHTTP
import WinchModel

/// FTP and SFTP: the file is sent under a temporary name, its size is compared, and it gets its own name.
///
/// libcurl appends where it goes on with an SFTP upload, so that is done at exactly the size of the file at the server, once
/// that has stopped growing and its last bytes have turned out to be those of the source, or cannot be read. Without a temporary
/// name nothing says that a file at the server is of this upload, so every attempt sends the whole.
struct FTPAndSFTPUpload: UploadDialogue {
    enum Stage {
        case begin
        /// - Parameter first: the size at the first question.
        case asking(first: Int64?)
        /// - Parameter last: the last bytes that the server has, which are read back.
        case comparing(_ last: Range<Int64>)
        case sending(from: Int64)
        /// - Parameter after: why the server has not taken it.
        case askingSpace(after: TransferFailure)
        case measuring(expected: Int64)
        /// What has the name to which the server does not rename?
        /// - Parameter after: the refusal of an FTP server; `nil`: it is an SFTP server.
        case listing(after: TransferFailure?)
        /// - Parameter isReplacing: the file that has the name is removed before.
        case renaming(isReplacing: Bool)
        /// - Parameter after: why the renaming has not ended.
        case seeking(Seat, isReplacing: Bool, after: TransferFailure)
        /// What was sent is removed.
        case discarding(after: TransferFailure)
    }

    /// Where the file may be while it gets its name.
    enum Seat {
        case temporary
        /// Under the second temporary name, from which an SFTP server has just been asked to rename it back.
        case aside
        case target
    }

    let start: ConnectionRequest
    let order: UploadOrder
    /// `nil`: not known.
    let size: Int64?
    private let source: FileIdentity?
    private let bytes: (Range<Int64>) -> [UInt8]?
    let settings: Shared<TransferSettings>
    let target: TransferURL
    let temporary: TransferURL?
    var stage = Stage.begin
    /// Bytes of the whole that the server has confirmed.
    var whole: Int64 = 0
    var hasSought = false
    /// Of the file that is replaced; `nil`: not known, or there is none.
    var replaced: SFTPListing.Entry?
    private(set) var warning: TransferWarning?

    /// An earlier connection may still be writing.
    private static let settling = Duration.seconds(2)
    /// 64 KiB: enough to tell another version of a file, and read in one round trip on most lines.
    private static let longestComparison: Int64 = 64 << 10

    /// - Parameter target: as libcurl is to connect to it: of SFTP with what ssh_config says.
    init(
        _ start: ConnectionRequest, _ order: UploadOrder, to target: TransferURL, size: Int64?, source: FileIdentity?,
        bytes: @escaping (Range<Int64>) -> [UInt8]?
    ) {
        (self.start, self.order, self.size, self.source) = (start, order, size, source)
        let target = target.withoutType
        (self.bytes, self.target, settings) = (bytes, target, start.settings)
        temporary = order.usesTemporaryName ? Self.temporary(target, source, start) : nil
    }

    /// The name is the same in every run as long as source and target are: so another version of the source is never added to
    /// what is there.
    private static func temporary(
        _ target: TransferURL, _ source: FileIdentity?, _ start: ConnectionRequest
    ) -> TransferURL? {
        guard let folder = target.folder else { return nil }
        let mark: String =
            if let source {
                "\(source.device) \(source.node) \(source.length) \(source.modified) "
                    + (source.changed.map { "\($0) " } ?? "") + target.normal
            } else {
                "\(start.connection) \(UInt64.random(in: 0 ... .max)) \(target.normal)"
            }
        let hash = HashFunction.sha256.hash(Array(mark.utf8)).prefix(8).hex
        return try? TransferURL(folder.text + ".winch-" + hash + ".part")
    }

    var isSFTP: Bool { target.scheme == .sftp }

    /// What an attempt leaves for the next; `nil` for what is read once.
    var place: UploadPlace? { source == nil || size == nil ? nil : firstPlace }

    var firstPlace: UploadPlace? {
        temporary.map { UploadPlace(name: String($0.lastPathComponent), source: source) }
    }

    mutating func next(after answer: UploadAnswer?) -> UploadStep {
        switch stage {
        case .begin:
            if let fault = nameFault { return .failed(fault, place: nil) }
            guard let place, let kept = start.resume?.upload, kept.name == place.name, kept.source == place.source,
                let size, size > 0
            else { return send(from: 0) }
            stage = .asking(first: nil)
            return askSize()
        case .asking(let first): return answer.map { measured($0, first: first) } ?? askSize()
        case .comparing(let last): return answer.map { compared(last, $0) } ?? send(from: 0)
        case .sending(let offset): return answer.map { sent(from: offset, $0) } ?? send(from: offset)
        case .askingSpace(let failure): return answer.map { spaceTold(failure, $0) } ?? askSpace(after: failure)
        case .measuring(let expected): return answer.map { checked(expected, $0) } ?? measure(expected)
        case .listing(let refusal): return answer.map { listed($0, after: refusal) } ?? list(after: refusal)
        case .discarding(let failure): return answer.map { _ in .failed(failure, place: nil) } ?? discard(failure)
        case .renaming(let isReplacing): return answer.map { renamed(isReplacing, $0) } ?? rename(isReplacing)
        case .seeking(let seat, let isReplacing, let failure):
            return answer.map { sought(seat, isReplacing, failure, $0) } ?? seek(seat, isReplacing, failure)
        }
    }

    /// Found before anything is sent, which would be left at the server.
    private var nameFault: TransferFailure? {
        guard isSFTP else { return target.ftpNameFault }
        // The command that renames is a line of its own.
        guard temporary != nil, target.fileName.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        let words =
            "by SFTP under a temporary name: a control character in the name; --no-temporary-name sends without it"
        return .remoteWrite(.name, path: target.shownPath, details: words)
    }

    func askSize(of url: TransferURL? = nil) -> UploadStep {
        var request = UploadRequest(url ?? temporary ?? target, settings)
        request.isHead = true
        return .request(request)
    }

    private mutating func measured(_ answer: UploadAnswer, first: Int64?) -> UploadStep {
        if let failure = answer.failure {
            guard answer.isMissing else { return .failed(failure, place: place) }
            guard start.resume?.upload?.isRenaming == true, let size else {
                // FTP says the same where it tells no sizes at all.
                return send(from: 0, isSFTP ? .remoteFileGone : .remoteSizeUnknown)
            }
            // The connection was lost while it got its name.
            (whole, hasSought) = (size, true)
            return seek(isSFTP ? .aside : .target, isSFTP, failure)
        }
        guard let size, let found = answer.size else { return send(from: 0, .remoteSizeUnknown) }
        guard found > 0, found <= size else { return send(from: 0, .remoteBytesDiffer) }
        guard let first else {
            stage = .asking(first: found)
            return .wait(Self.settling)
        }
        guard first == found else {
            // It still grows: an earlier connection has not ended.
            let words = "the server still writes what an earlier connection sent"
            return .failed(.remoteWrite(.busy, path: target.shownPath, details: words), place: place)
        }
        let last = max(0, found - Self.longestComparison)..<found
        stage = .comparing(last)
        var request = UploadRequest(temporary ?? target, settings)
        request.resumeFrom = last.lowerBound
        request.wanted = last.count
        return .request(request)
    }

    private mutating func compared(_ last: Range<Int64>, _ answer: UploadAnswer) -> UploadStep {
        guard answer.body.count == last.count else {
            switch answer.failure {
            case nil, .remoteFile(.missing, _)?: return send(from: 0, .remoteBytesDiffer)
            case .some where answer.code == .restRefused: return send(from: 0, .rangeRefused)
            case .remoteFile(.denied, _)?, .remoteFile(.missingOrDenied, _)?,
                .other(_)? where answer.code == .retrieveRefused:
                return isOwn(upTo: last.upperBound) ? goOn(from: last.upperBound) : send(from: 0, .remoteBytesDiffer)
            case .some(let failure): return .failed(failure, place: place)
            }
        }
        return bytes(last) == answer.body ? goOn(from: last.upperBound) : send(from: 0, .remoteBytesDiffer)
    }

    /// The bytes at the server are those of the source, although the server refuses to send them back for a comparison: the
    /// temporary name is a hash of this source and target, and there are no more bytes than were sent before.
    private func isOwn(upTo end: Int64) -> Bool { end <= start.resume?.have.bytes ?? 0 }

    private mutating func goOn(from end: Int64) -> UploadStep {
        end < size ?? .max ? send(from: end) : measure(end)
    }

    /// - Parameter cause: why it does not go on from what the server was thought to have.
    mutating func send(from offset: Int64, _ cause: Rebase.Cause = .sentAgain) -> UploadStep {
        stage = .sending(from: offset)
        var request = UploadRequest(temporary ?? target, settings)
        request.body = offset..<(size ?? .max)
        request.startsOver = cause
        request.resumeFrom = offset
        request.createsFolders = order.createsFolders
        return .request(request)
    }

    private mutating func sent(from offset: Int64, _ answer: UploadAnswer) -> UploadStep {
        // A server that does not append has not taken anything; ProFTPD says 451 then. One that has no space, or cannot take it at
        // present, has kept what it had.
        let keepsAll = [425, 426, 450, 452, 552].contains(answer.reply)
        if offset > 0, !isSFTP, answer.code == .uploadFailed, !keepsAll { return send(from: 0, .appendRefused) }
        if let failure = answer.failure {
            let failure = failed(failure, answer)
            if isSFTP, case .remoteWrite(.unknown, _, _) = failure { return askSpace(after: failure) }
            return .failed(failure, place: place)
        }
        guard answer.isSent else { return .failed(.badResponse("the server ended the upload early"), place: place) }
        return measure(answer.given)
    }

    private mutating func measure(_ expected: Int64) -> UploadStep {
        stage = .measuring(expected: expected)
        return askSize()
    }

    private mutating func checked(_ expected: Int64, _ answer: UploadAnswer) -> UploadStep {
        switch answer.failure {
        case nil, .remoteFile?: break
        case .some(let failure): return .failed(failure, place: place)
        }
        // libcurl names no size of a file for which an SFTP server names 0.
        let isEmpty = isSFTP && expected == 0 && answer.failure == nil
        let size = answer.size ?? (isEmpty ? 0 : nil)
        // A server that tells no size is believed: it has confirmed the whole.
        (whole, warning) = (expected, size == nil ? .remoteSizeUnknown : nil)
        if let found = size, found != expected {
            return .failed(
                .remoteWrite(.size, path: target.shownPath, details: "\(found) instead of \(expected) bytes"),
                place: place)
        }
        return temporary == nil ? .done : rename(false)
    }
}

/// The file is at the server, and gets its own name.
extension FTPAndSFTPUpload {
    private func sibling(_ name: String) -> TransferURL? {
        target.folder.flatMap { try? TransferURL($0.text + PercentCoding.encoded(name)) }
    }

    private static let aside = ".new"

    mutating func rename(_ isReplacing: Bool, isAside: Bool = false) -> UploadStep {
        stage = .renaming(isReplacing: isReplacing)
        guard let temporary, let folder = target.folder else { return .done }
        let (from, to) = (temporary.fileName, target.fileName)
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
        if isSFTP, !isReplacing, isRefused { return list(after: nil) }
        if isRefused, !isSFTP || hasSought {
            let fault: RemoteWriteFault = (400...499).contains(answer.reply) ? .busy : .rename
            let refusal = TransferFailure.remoteWrite(fault, path: target.shownPath, details: answer.refusal)
            return isSFTP ? .failed(refusal, place: place) : list(after: refusal)
        }
        guard !hasSought else { return .failed(failure, place: renamingPlace) }
        hasSought = true
        return seek(.temporary, isReplacing, failure)
    }

    /// Asks an FTP server for a folder of the name. Of an SFTP server it reads the folder: that tells modes, and libcurl has no
    /// other way to ask for them.
    mutating func list(after refusal: TransferFailure?) -> UploadStep {
        stage = .listing(after: refusal)
        if let refusal {
            guard let folder = target.asFolder else { return .failed(refusal, place: place) }
            return askSize(of: folder)
        }
        guard let folder = target.folder else { return rename(true) }
        var request = UploadRequest(folder, settings)
        request.wanted = SFTPListing.longest
        return .request(request)
    }

    mutating func listed(_ answer: UploadAnswer, after refusal: TransferFailure?) -> UploadStep {
        if let refusal {
            guard answer.failure == nil else { return .failed(refusal, place: place) }
        } else {
            replaced = answer.failure == nil ? SFTPListing.entry(named: target.fileName, in: answer.body) : nil
            guard replaced?.isFolder == true else { return rename(true) }
        }
        return discard(.remoteWrite(.folder, path: target.shownPath))
    }

    /// Removes what was sent: no other attempt can go on with it.
    mutating func discard(_ failure: TransferFailure) -> UploadStep {
        guard let temporary, let folder = target.folder else { return .failed(failure, place: nil) }
        stage = .discarding(after: failure)
        var request = UploadRequest(folder, settings)
        request.isHead = true
        if isSFTP {
            request.commandsBefore = ["*rm \(folder.commandPath(of: temporary.fileName))"]
        } else {
            request.commandsAfter = ["DELE \(temporary.fileName)"]
        }
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

extension FTPAndSFTPUpload {
    func failed(_ failure: TransferFailure, _ answer: UploadAnswer) -> TransferFailure {
        let path = target.shownPath
        switch (answer.code, answer.reply) {
        case (.remoteDiskFull, _), (.uploadFailed, 452), (.uploadFailed, 552), (.partialFile, 452), (.partialFile, 552):
            return .remoteFull(host: target.hostAndPort)
        case (.uploadFailed, 553) where isTemporaryName(in: answer.refusal):
            let advice = "; --no-temporary-name sends under its own name"
            return .remoteWrite(.unknown, path: path, details: answer.refusal.map { $0 + advice })
        case (.uploadFailed, 530), (.uploadFailed, 532), (.uploadFailed, 550), (.uploadFailed, 553):
            return .remoteWrite(.denied, path: path)
        // Nothing was sent yet, and the user is encouraged to ask again: RFC 959, section 4.2.
        case (.uploadFailed, 400...499), (.accessDenied, 400...499), (.passiveRefused, 400...499):
            return .remoteWrite(.busy, path: path, details: answer.refusal)
        case (.uploadFailed, _): return .remoteWrite(.unknown, path: path, details: answer.refusal)
        // A fault at the server that may pass. vsftpd says it of a full disk too.
        case (.partialFile, 451):
            return .remoteWrite(.busy, path: path, details: answer.refusal.map { "\($0) (is its disk full?)" })
        default: break
        }
        switch answer.code {
        case .ssh:
            if case .connectionLost = failure { return failure }
            return .remoteWrite(.unknown, path: path)
        case .remoteFileNotFound:
            // Where folders are created, this one could not be: something else has its name, or the user may not.
            return .remoteWrite(order.createsFolders ? .denied : .noFolder, path: target.folder?.shownPath ?? path)
        case .accessDenied:
            return isSFTP || order.createsFolders
                ? .remoteWrite(.denied, path: path) : .remoteWrite(.noFolder, path: target.folder?.shownPath ?? path)
        default: return failure
        }
    }

    /// The server refuses the name, as pure-ftpd does with one that begins with a dot; vsftpd says 553 of all that it does not
    /// let the user write, and names nothing.
    private func isTemporaryName(in refusal: String?) -> Bool {
        guard let temporary, let refusal else { return false }
        return refusal.utf8.firstRange(of: temporary.fileName.utf8) != nil
    }

    /// SFTP has one word, "Failure", for a full disk and for much else.
    ///
    /// - Source: OpenSSH, file PROTOCOL, section 3.4: statvfs@openssh.com.
    mutating func askSpace(after failure: TransferFailure) -> UploadStep {
        guard let folder = target.folder else { return .failed(failure, place: place) }
        stage = .askingSpace(after: failure)
        var request = UploadRequest(folder, settings)
        request.isHead = true
        // With the asterisk a server that does not know the question is no error.
        request.commandsBefore = ["*statvfs \(folder.commandPath(of: "."))"]
        return .request(request)
    }

    func spaceTold(_ failure: TransferFailure, _ answer: UploadAnswer) -> UploadStep {
        .failed(answer.freeBlocks == 0 ? .remoteFull(host: target.hostAndPort) : failure, place: place)
    }
}

extension TransferURL {
    /// The path at the server, as a message shows it.
    var shownPath: String { PercentCoding.decodedSystemText(pathText) }

    var fileName: String { PercentCoding.decodedSystemText(lastPathComponent) }

    /// Why nothing can be sent to this URL by FTP; `nil`: it can. A path may begin with a home folder, as the user wants.
    var ftpNameFault: TransferFailure? {
        let parts = FTPName.parts(of: self)
        let home: [UInt8] = [UInt8(ascii: "~")]
        let isHome = parts.dropFirst().contains(home) || !namesFolder && parts == [home]
        guard let fault = isHome ? "a server takes ~ for a home folder" : parts.lazy.compactMap(FTPName.fault).first
        else { return nil }
        return .remoteWrite(.name, path: shownPath, details: "by FTP: " + fault)
    }

    /// Of a file in this folder on an SFTP server, for libcurl's commands. What begins with `/~/` is in the home folder:
    /// libcurl knows that in commands only without quotes, but to the server relative paths begin there.
    func commandPath(of name: String) -> String {
        Self.commandPath(PercentCoding.decodedSystemText(pathText) + name)
    }

    /// Of this folder itself, as `commandPath(of:)`, without the slash at its end; `nil`: the top folder or the home folder.
    var folderCommandPath: String? {
        let path = PercentCoding.decodedSystemText(pathText.dropLast())
        return path.isEmpty || path == "/~" ? nil : Self.commandPath(path)
    }

    private static func commandPath(_ path: String) -> String {
        var bytes = Array("\"".utf8)
        for byte in path.utf8.dropFirst(path.hasPrefix("/~/") ? 3 : 0) {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self) + "\""
    }
}
