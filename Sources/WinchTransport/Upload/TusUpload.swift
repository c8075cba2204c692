import WinchHTTP
import WinchModel

/// The protocol tus 1.0: the server gives the upload an address, at which it says how many bytes it has.
///
/// - Source: https://tus.io/protocols/resumable-upload, version 1.0.0.
struct TusUpload: UploadDialogue {
    private enum Stage {
        case creation
        /// The address is known, and the ledger gets it.
        case held
        case offset
        case sending(Range<Int64>)
    }

    private let start: ConnectionRequest
    private let order: UploadOrder
    private let contentType: String
    private let size: Int64
    private let source: FileIdentity?
    private var stage = Stage.offset
    private var place: UploadPlace?
    private var settings: Shared<TransferSettings>
    /// An upload that the server has forgotten, or of which it names no offset, is begun anew once.
    private var hasRenewed = false
    /// The server has closed a kept connection while a part was on its way: the next parts get new ones.
    private var hasLostKept = false
    /// What the server takes in one request at most; `nil`: it has not refused any size.
    private var mostPiece: Int64?
    /// Since bytes were taken.
    private var redirects = Redirects()
    private var idleRounds = 0
    /// The largest offset that the server has named. A server whose offset moves to and fro makes no progress.
    private var largestOffset: Int64 = -1

    /// For a server that has refused a size.
    private static let pieces: ClosedRange<Int64> = 256 << 10...16 << 20
    private static let mostIdleRounds = 3
    private static let version = "Tus-Resumable: 1.0.0"

    init(
        _ start: ConnectionRequest, _ order: UploadOrder, contentType: String, size: Int64, source: FileIdentity?
    ) {
        (self.start, self.order, self.contentType, self.size) = (start, order, contentType, size)
        (self.source, settings) = (source, start.settings)
        if let kept = start.resume?.upload, !kept.name.isEmpty, kept.source == source,
            let hop = try? RedirectedRequest(from: start.url.text, to: kept.name, of: start.url, start.settings)
        {
            (place, settings) = (kept, hop.settings)
        }
    }

    mutating func next(after answer: UploadAnswer?) -> UploadStep {
        switch stage {
        case .creation: return answer.map { created($0) } ?? create()
        case .held: return size == 0 ? .done : send(from: 0)
        case .offset: return answer.map { located($0) } ?? askOffset()
        case .sending(let range): return answer.map { sent(range, $0) } ?? askOffset()
        }
    }

    /// - Parameter hop: where the server has sent this request to; `nil`: nowhere.
    private mutating func create(at hop: RedirectedRequest? = nil) -> UploadStep {
        stage = .creation
        var request = UploadRequest(hop?.url ?? start.url, hop?.settings ?? start.settings, method: "POST")
        request.body = 0..<0
        let name = order.name ?? TargetName(url: start.url).text
        request.headers = [
            Self.version, "Upload-Length: \(size)",
            "Upload-Metadata: filename \(Base64.encoded(name.systemBytes)),filetype \(Base64.encoded(Array(contentType.utf8)))",
            "Content-Type:", "Expect:",
        ]
        return .request(request)
    }

    private mutating func created(_ answer: UploadAnswer) -> UploadStep {
        if let failure = answer.failure { return .failed(failure, place: nil) }
        switch answer.head.status {
        case 200...299: break
        case 307, 308: return follow(answer) { $0.create(at: $1) }
        default: return .failed(.httpStatus(answer.head.status), place: nil)
        }
        guard let location = answer.head.location else {
            return .failed(.badResponse("the tus server gave the upload no address"), place: nil)
        }
        do throws(TransferFailure) {
            let hop = try RedirectedRequest(from: answer.url.text, to: location, of: start.url, start.settings)
            let place = UploadPlace(name: hop.url.text, source: source)
            (self.place, settings, stage) = (place, hop.settings, .held)
            return .hold(place)
        } catch {
            return .failed(error, place: nil)
        }
    }

    /// - Parameter repeated: the request that was answered, at another address.
    private mutating func follow(
        _ answer: UploadAnswer, _ repeated: (inout TusUpload, RedirectedRequest) -> UploadStep
    ) -> UploadStep {
        do throws(TransferFailure) {
            let hop = try redirects.follow(answer.head.location ?? "", from: answer.url.text, of: start)
            return repeated(&self, hop)
        } catch {
            return .failed(error, place: place)
        }
    }

    private var address: TransferURL? { place.flatMap { try? TransferURL($0.name) } }

    /// - Parameter hop: where the server has sent this request to; `nil`: nowhere.
    private mutating func askOffset(at hop: RedirectedRequest? = nil) -> UploadStep {
        guard let address else { return create() }
        stage = .offset
        var request = UploadRequest(hop?.url ?? address, hop?.settings ?? settings)
        request.isHead = true
        request.headers = [Self.version]
        return .request(request)
    }

    private mutating func located(_ answer: UploadAnswer) -> UploadStep {
        if let failure = answer.failure { return .failed(failure, place: place) }
        switch answer.head.status {
        case 307, 308: return follow(answer) { $0.askOffset(at: $1) }
        // 405: the server cannot say what it has of it.
        case 403, 404, 405, 410: return renew(after: .httpStatus(answer.head.status))
        case 200...299:
            guard let offset = answer.head.uploadOffset, (0...size).contains(offset) else {
                return renew(after: .badResponse("the tus server names no offset, or one beyond the end"))
            }
            idleRounds = offset > largestOffset ? 0 : idleRounds + 1
            largestOffset = max(largestOffset, offset)
            guard idleRounds < Self.mostIdleRounds else {
                return .failed(.badResponse("the tus server does not accept the bytes"), place: place)
            }
            return offset == size ? .done : send(from: offset)
        default: return .failed(.httpStatus(answer.head.status), place: place)
        }
    }

    private mutating func renew(after failure: TransferFailure) -> UploadStep {
        place = nil
        guard !hasRenewed else { return .failed(failure, place: nil) }
        (hasRenewed, largestOffset) = (true, -1)
        return create()
    }

    private mutating func send(from offset: Int64) -> UploadStep {
        send(offset..<min(size, offset + (mostPiece ?? size)))
    }

    /// - Parameter hop: where the server has sent this request to; `nil`: nowhere.
    private mutating func send(_ range: Range<Int64>, to hop: RedirectedRequest? = nil) -> UploadStep {
        guard let address else { return create() }
        let offset = range.lowerBound
        stage = .sending(range)
        var request = UploadRequest(hop?.url ?? address, hop?.settings ?? settings, method: "PATCH")
        request.body = range
        request.needsFreshConnection = hasLostKept
        request.headers = [
            Self.version, "Upload-Offset: \(offset)", "Content-Type: application/offset+octet-stream",
        ]
        if range.count < 1 << 20 { request.headers.append("Expect:") }
        return .request(request)
    }

    private mutating func sent(_ range: Range<Int64>, _ answer: UploadAnswer) -> UploadStep {
        if answer.code == .rewindFailed, !hasLostKept {
            hasLostKept = true
            return askOffset()
        }
        if let failure = answer.failure { return .failed(failure, place: place) }
        switch answer.head.status {
        // Another offset: the server says what it has.
        case 409: return askOffset()
        case 404, 410: return renew(after: .httpStatus(answer.head.status))
        case 307, 308: return follow(answer) { $0.send(range, to: $1) }
        // More than the server, or a proxy before it, takes at once.
        case 413 where range.count > Self.pieces.lowerBound:
            mostPiece = max(Self.pieces.lowerBound, min(Self.pieces.upperBound, Int64(range.count)) / 2)
            return send(from: range.lowerBound)
        case 200...299:
            // Without the offset, which tus demands, it may be the page of another server: the bytes are stored where HEAD says so.
            guard answer.isSent, let offset = answer.head.uploadOffset, offset == range.upperBound else {
                return askOffset()
            }
            largestOffset = max(largestOffset, offset)
            redirects = Redirects()
            return offset == size ? .done : send(from: offset)
        default: return .failed(.httpStatus(answer.head.status), place: place)
        }
    }
}
