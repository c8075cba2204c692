import CTransport
import WinchHTTP
import WinchModel

/// A question for a size: HEAD, and where that is not allowed one byte by range. Used on the loop's thread only.
final class Probe {
    let request: ProbeRequest
    private let outbox: Outbox
    let deadline: Moment
    weak var easy: EasyHandle?
    private var head = ResponseHead()
    private var size: Int64?
    /// HEAD was refused; this is the GET for one byte.
    private var isRanged = false
    private var needsFreshConnection = false
    private let sshHome: SSHHome
    private(set) var ssh: SSHAccess?

    /// A size that takes longer than this to learn is learned from the file itself as well.
    private static let timeout: Duration = .seconds(5)

    init(_ request: ProbeRequest, outbox: Outbox, sshHome: SSHHome) {
        self.sshHome = sshHome
        self.request = request
        self.outbox = outbox
        deadline = outbox.now + Self.timeout
    }

    /// - Returns: `nil` when there is nothing to ask.
    func begin() throws(TransferFailure) -> EasyRequest? {
        guard !request.url.isFolder else { return nil }
        if request.url.scheme == .sftp {
            ssh = try SSHAccess(request.url, request.settings.value, sshHome, at: outbox.now)
        }
        return nextRequest
    }

    private var nextRequest: EasyRequest {
        EasyRequest(
            url: ssh?.target.url ?? request.url, settings: request.settings, range: isRanged ? "0-0" : nil,
            isHead: !isRanged, needsFreshConnection: needsFreshConnection, ssh: ssh?.request)
    }

    /// What the answer says of the file; `nil`: nothing.
    var file: ProbedFile? {
        isGood ? ProbedFile(size: size, isPage: head.mediaType == nil ? nil : head.isPage) : nil
    }

    private var isGood: Bool {
        (200...299).contains(head.status) && HTTPStatus.meaning(head.status, of: .download) == .done
    }

    private var isHTTP: Bool { request.url.scheme.isHTTP }

    /// - Returns: another request, when this one was refused as such.
    func end(_ code: CurlCode, _ easy: EasyHandle) -> EasyRequest? {
        if easy.refusal == .keptConnection, !needsFreshConnection {
            needsFreshConnection = true
            head = ResponseHead()
            return nextRequest
        }
        if case .again? = ssh?.reaction(after: code, easy.words(for: code)) { return nextRequest }
        if !isHTTP {
            let length = easy.fact(WINCH_CONTENT_LENGTH)
            if code == .ok, length >= 0 { size = length }
        } else if isRanged {
            // The answer was judged by its head; its body was not wanted.
        } else if code == .ok, isGood {
            size = head.bodyLength
        } else if code == .ok, [403, 405, 501].contains(head.status) {
            isRanged = true
            head = ResponseHead()
            return nextRequest
        }
        answer()
        return nil
    }

    func answer() {
        outbox.report(ConnectionID(transfer: request.id), .probed(size.map { ByteCount(bytes: $0) }))
    }
}

/// What the answer to a question for a size says of the file.
struct ProbedFile: Sendable {
    var size: Int64?
    /// `nil`: it names no type.
    var isPage: Bool?
}

extension Probe: ResponseReceiver {
    var transfer: TransferID? { request.id }

    func willSendRequest() { ssh?.succeeded() }

    func take(header line: UnsafeRawBufferPointer) -> Bool {
        guard isHTTP, head.read(line) == .end else { return true }
        guard (try? easy?.willFollow(head, from: request.url, request.settings)) != nil else { return false }
        if head.status >= 200 { easy?.watchForExcess(bodyLength: isRanged ? head.bodyLength : nil) }
        guard isRanged, head.status >= 200 else { return true }
        switch head.status {
        case _ where head.isPart:
            if case .span(_, _, let total) = head.contentRange { size = total }
            return true
        case 200...299 where isGood:
            // Ranges are not known there, but the length is: no need for the body.
            size = head.bodyLength
            return false
        default: return true
        }
    }

    /// One byte was asked for; a server that sends more is not read any further.
    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer {
        !head.isPart || bytes.count <= 1 ? .taken : .refused
    }
}
