import Hashing
import WinchHTTP
import WinchModel

/// FTP and SFTP: the file is sent under a temporary name, its size is compared, and it gets its own name.
///
/// libcurl appends where it goes on with an SFTP upload, so that is done at exactly the size of the file at the server, once
/// that has stopped growing and its last bytes have turned out to be those of the source.
struct FileServerUpload: UploadDialogue {
    private enum Stage {
        case begin
        /// - Parameter first: the size at the first question.
        case asking(first: Int64?)
        case comparing(Range<Int64>)
        case sending(from: Int64)
        case measuring(expected: Int64)
        /// - Parameter isReplacing: the file that has the name is removed before.
        case renaming(isReplacing: Bool)
    }

    private let start: ConnectionRequest
    private let order: UploadOrder
    /// `nil`: not known.
    private let size: Int64?
    private let source: FileIdentity?
    /// Bytes of the source.
    private let bytes: (Range<Int64>) -> [UInt8]?
    private let settings: Shared<TransferSettings>
    private let target: TransferURL
    private let temporary: TransferURL?
    private var stage = Stage.begin

    /// An earlier connection may still be writing.
    private static let settling = Duration.seconds(2)
    private static let overlap: Int64 = 64 << 10

    /// - Parameter target: as libcurl is to connect to it: of SFTP with what ssh_config says.
    init(
        _ start: ConnectionRequest, _ order: UploadOrder, to target: TransferURL, size: Int64?, source: FileIdentity?,
        bytes: @escaping (Range<Int64>) -> [UInt8]?
    ) {
        (self.start, self.order, self.size, self.source) = (start, order, size, source)
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
                "\(source.device) \(source.node) \(source.length) \(source.modified) \(target.normal)"
            } else {
                "\(start.connection) \(UInt64.random(in: 0 ... .max)) \(target.normal)"
            }
        let hash = HashFunction.sha256.hash(Array(mark.utf8)).prefix(8).hex
        return try? TransferURL(folder.text + ".winch-" + hash + ".part")
    }

    private var isSFTP: Bool { target.scheme == .sftp }

    /// What an attempt leaves for the next; `nil` for what is read once.
    private var place: UploadPlace? { source == nil || size == nil ? nil : firstPlace }

    var firstPlace: UploadPlace? {
        temporary.map { UploadPlace(name: String($0.lastPathComponent), source: source) }
    }

    mutating func next(after answer: UploadAnswer?) -> UploadStep {
        switch stage {
        case .begin:
            guard let place, start.resume?.upload == place, let size, size > 0 else { return send(from: 0) }
            stage = .asking(first: nil)
            return askSize()
        case .asking(let first): return answer.map { measured($0, first: first) } ?? askSize()
        case .comparing(let range): return answer.map { compared(range, $0) } ?? send(from: 0)
        case .sending(let offset): return answer.map { sent(from: offset, $0) } ?? send(from: offset)
        case .measuring(let expected): return answer.map { checked(expected, $0) } ?? measure(expected)
        case .renaming(let isReplacing): return answer.map { renamed(isReplacing, $0) } ?? rename(isReplacing)
        }
    }

    private func askSize() -> UploadStep {
        var request = UploadRequest(temporary ?? target, settings)
        request.isHead = true
        return .request(request)
    }

    private mutating func measured(_ answer: UploadAnswer, first: Int64?) -> UploadStep {
        guard answer.failure == nil, let size, let found = answer.size, found > 0, found <= size else {
            if case .remoteFile? = answer.failure { return send(from: 0) }
            if let failure = answer.failure { return .failed(failure, place: place) }
            return send(from: 0)
        }
        guard let first else {
            stage = .asking(first: found)
            return .wait(Self.settling)
        }
        guard first == found else {
            // It still grows: an earlier connection has not ended.
            return .failed(.serverBusy(reply: "the server still writes what an earlier connection sent"), place: place)
        }
        let range = max(0, found - Self.overlap)..<found
        stage = .comparing(range)
        var request = UploadRequest(temporary ?? target, settings)
        request.resumeFrom = range.lowerBound
        request.wanted = range.count
        return .request(request)
    }

    private mutating func compared(_ range: Range<Int64>, _ answer: UploadAnswer) -> UploadStep {
        guard answer.body.count == range.count, let own = bytes(range), own == answer.body else { return send(from: 0) }
        guard range.upperBound < size ?? .max else { return measure(range.upperBound) }
        return send(from: range.upperBound)
    }

    private mutating func send(from offset: Int64) -> UploadStep {
        stage = .sending(from: offset)
        var request = UploadRequest(temporary ?? target, settings)
        request.body = offset..<(size ?? .max)
        request.resumeFrom = offset
        request.createsFolders = order.createsFolders
        return .request(request)
    }

    private mutating func sent(from offset: Int64, _ answer: UploadAnswer) -> UploadStep {
        // A server that does not append has not taken anything; one without space has kept what it had.
        let isFull = answer.reply == 452 || answer.reply == 552
        if offset > 0, !isSFTP, answer.code == .uploadFailed, !isFull { return send(from: 0) }
        if let failure = answer.failure { return .failed(failed(failure, answer), place: place) }
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
        // A server that tells no size is believed: it has confirmed the whole.
        if let found = answer.size, found != expected {
            return .failed(
                .remoteWrite(.size, path: target.shownPath, details: "\(found) instead of \(expected) bytes"),
                place: nil)
        }
        return temporary == nil ? .done : rename(false)
    }

    private mutating func rename(_ isReplacing: Bool) -> UploadStep {
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
            let other = folder.commandPath(of: from + ".new")
            let trial = ["rename \(source) \(other)", "rename \(other) \(source)", "rm \(goal)"]
            request.commandsBefore = (isReplacing ? trial : []) + [rename]
        } else {
            request.commandsAfter = ["RNFR \(from)", "RNTO \(to)"]
        }
        return .request(request)
    }

    private mutating func renamed(_ isReplacing: Bool, _ answer: UploadAnswer) -> UploadStep {
        guard let failure = answer.failure else { return .done }
        guard answer.code == .quoteFailed else { return .failed(failure, place: place) }
        // SFTP servers do not rename over a file that is there.
        if isSFTP, !isReplacing { return rename(true) }
        return .failed(.remoteWrite(.rename, path: target.shownPath), place: place)
    }

    /// The failure in the words of an upload.
    private func failed(_ failure: TransferFailure, _ answer: UploadAnswer) -> TransferFailure {
        let path = target.shownPath
        switch (answer.code, answer.reply) {
        case (.remoteDiskFull, _), (.uploadFailed, 452), (.uploadFailed, 552), (.partialFile, 452), (.partialFile, 552):
            return .remoteFull(host: target.hostKey)
        case (.uploadFailed, 532), (.uploadFailed, 550), (.uploadFailed, 553): return .remoteWrite(.denied, path: path)
        // 451: a fault at the server, which is what vsftpd says of a full disk too.
        case (.uploadFailed, _), (.partialFile, 451): return .remoteWrite(.unknown, path: path)
        default: break
        }
        switch answer.code {
        case .ssh:
            if case .connectionLost = failure { return failure }
            return .remoteWrite(.unknown, path: path)
        case .remoteFileNotFound: return .remoteWrite(.noFolder, path: target.folder?.shownPath ?? path)
        case .accessDenied:
            return isSFTP || order.createsFolders
                ? .remoteWrite(.denied, path: path) : .remoteWrite(.noFolder, path: target.folder?.shownPath ?? path)
        default: return failure
        }
    }
}

extension TransferURL {
    /// The path at the server, as a message shows it.
    fileprivate var shownPath: String { PercentCoding.decoded(pathText) }

    /// The last part of the path, decoded.
    fileprivate var fileName: String { PercentCoding.decoded(lastPathComponent) }

    /// Of a file in this folder on an SFTP server, for libcurl's commands. What begins with `/~/` is in the home folder:
    /// libcurl knows that in commands only without quotes, but to the server relative paths begin there.
    func commandPath(of name: String) -> String {
        let path = PercentCoding.decoded(pathText) + name
        var bytes = Array("\"".utf8)
        for byte in path.utf8.dropFirst(path.hasPrefix("/~/") ? 3 : 0) {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self) + "\""
    }
}
