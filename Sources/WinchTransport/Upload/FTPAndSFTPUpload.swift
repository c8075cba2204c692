import Hashing
import WinchHTTP
import WinchModel

/// FTP and SFTP: the file is sent under a temporary name, its size is compared, and it gets its own name.
///
/// libcurl appends where it goes on with an SFTP upload, so that is done at exactly the size of the file at the server, once
/// that has stopped growing and its last bytes have turned out to be those of the source.
struct FTPAndSFTPUpload: UploadDialogue {
    enum Stage {
        case begin
        /// - Parameter first: the size at the first question.
        case asking(first: Int64?)
        case comparing(UploadOverlap)
        case sending(from: Int64)
        /// - Parameter after: why the server has not taken it.
        case askingSpace(after: TransferFailure)
        case measuring(expected: Int64)
        /// An SFTP server has a file of this name: what is it?
        case listing
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
    /// Bytes of the source.
    private let bytes: (Range<Int64>) -> [UInt8]?
    let settings: Shared<TransferSettings>
    let target: TransferURL
    let temporary: TransferURL?
    var stage = Stage.begin
    /// Bytes of the whole that the server has confirmed.
    var whole: Int64 = 0
    /// After the renaming failed, the file was looked for.
    var hasSought = false
    /// Of the file that is replaced; `nil`: not known, or there is none.
    var replaced: SFTPListing.Entry?
    private(set) var warning: TransferWarning?

    /// An earlier connection may still be writing.
    private static let settling = Duration.seconds(2)

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
            guard let place, let kept = start.resume?.upload, kept.name == place.name, kept.source == place.source,
                let size, size > 0
            else { return send(from: 0) }
            stage = .asking(first: nil)
            return askSize()
        case .asking(let first): return answer.map { measured($0, first: first) } ?? askSize()
        case .comparing(let overlap): return answer.map { compared(overlap, $0) } ?? send(from: 0)
        case .sending(let offset): return answer.map { sent(from: offset, $0) } ?? send(from: offset)
        case .askingSpace(let failure): return answer.map { spaceTold(failure, $0) } ?? askSpace(after: failure)
        case .measuring(let expected): return answer.map { checked(expected, $0) } ?? measure(expected)
        case .listing: return answer.map { listed($0) } ?? list()
        case .discarding(let failure): return answer.map { _ in .failed(failure, place: nil) } ?? discard(failure)
        case .renaming(let isReplacing): return answer.map { renamed(isReplacing, $0) } ?? rename(isReplacing)
        case .seeking(let seat, let isReplacing, let failure):
            return answer.map { sought(seat, isReplacing, failure, $0) } ?? seek(seat, isReplacing, failure)
        }
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
            return .failed(.serverBusy(reply: "the server still writes what an earlier connection sent"), place: place)
        }
        let overlap = UploadOverlap(endingAt: found)
        stage = .comparing(overlap)
        var request = UploadRequest(temporary ?? target, settings)
        request.resumeFrom = overlap.range.lowerBound
        request.wanted = overlap.range.count
        return .request(request)
    }

    private mutating func compared(_ overlap: UploadOverlap, _ answer: UploadAnswer) -> UploadStep {
        guard overlap.isSame(answer.body, in: bytes) else { return send(from: 0, .remoteBytesDiffer) }
        let end = overlap.range.upperBound
        return end < size ?? .max ? send(from: end) : measure(end)
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
        // A server that does not append has not taken anything; one without space has kept what it had.
        let isFull = answer.reply == 452 || answer.reply == 552
        if offset > 0, !isSFTP, answer.code == .uploadFailed, !isFull { return send(from: 0, .appendRefused) }
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
        // A server that tells no size is believed: it has confirmed the whole.
        (whole, warning) = (expected, answer.size == nil ? .remoteSizeUnknown : nil)
        if let found = answer.size, found != expected {
            return .failed(
                .remoteWrite(.size, path: target.shownPath, details: "\(found) instead of \(expected) bytes"),
                place: place)
        }
        return temporary == nil ? .done : rename(false)
    }
}
