import WinchBatch
import WinchHTTP
import WinchModel

/// Fetches the Metalink that a server names for a file (`Link: rel=describedby`) while the file comes. What goes wrong is no
/// failure of the file: then nothing more is known of it. Used on the loop's thread only.
///
/// - Source: RFC 6249, section 5.
final class DescriptionRequest {
    private(set) weak var download: Download?
    let deadline: Moment
    weak var easy: EasyHandle?
    let url: TransferURL
    private let request: ConnectionRequest
    private var head = ResponseHead()
    private var body: MetalinkBody?

    /// 5 s: the file waits for it at its end.
    private static let timeout: Duration = .seconds(5)

    /// - Parameter url: of the Metalink; `isMirror(of:allowsDowngrade:)` holds for it.
    init(_ url: TransferURL, for download: Download, at now: Moment) {
        self.url = url
        self.download = download
        request = download.request
        deadline = now + Self.timeout
    }

    /// The login goes only to the origins of the URLs that the user gave.
    var easyRequest: EasyRequest {
        EasyRequest(url: url, settings: request.settings.sent(to: url, namedBy: request.url))
    }

    /// - Returns: `nil` when there is no Metalink, or none of this file.
    func end(_ code: CurlCode) -> MetalinkFile? {
        guard code == .ok, let download else { return nil }
        return body?.file(at: request.url, size: download.version.total.map { ByteCount(bytes: $0) })
    }
}

extension DescriptionRequest: ResponseReceiver {
    var ssh: SSHAccess? { nil }

    func willSendRequest() {}

    func take(header line: UnsafeRawBufferPointer) -> Bool {
        guard head.read(line) == .end, head.status >= 200 else { return true }
        // A redirect is not followed: it could lead anywhere.
        guard head.status == 200, body == nil else { return false }
        if head.mayHideExcess { easy?.watchForExcess(bodyLength: head.bodyLength) }
        body = try? MetalinkBody(head)
        return body != nil
    }

    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer {
        guard body != nil, (try? body?.append(bytes)) != nil else { return .refused }
        return .taken
    }
}

/// A Metalink that the server names for the file says what it hashes to, and where else it is.
extension Download {
    /// The responses to the file's request name a Metalink: it is asked for once in an attempt, while the body comes.
    func noteDescription(at url: TransferURL?) {
        guard let url, describedBy == nil, request.settings.value.metalink == .follow, url != request.url,
            url.scheme.isHTTP
        else { return }
        describedBy = url
        isAwaitingDescription = true
        let id = request.transfer
        inbox.post { $0.describe(id) }
    }

    /// The answer has come.
    ///
    /// - Parameter file: `nil`: nothing is known.
    /// - Returns: the mirrors that may be used, the demanded hashes if they have changed, and those of the pieces if they are used
    ///   from now on.
    func take(
        _ file: MetalinkFile?
    ) -> (mirrors: [TransferURL], demands: [ExpectedChecksum]?, pieces: PieceHashes?) {
        isAwaitingDescription = false
        guard let file else { return ([], nil, nil) }
        let demands = file.checksum.flatMap { hasher.describe($0) }
        let hashes = hasher.isDescribable && request.pieces == nil ? file.pieces : nil
        if let hashes, version.total == nil {
            // Their turn comes when the size is known.
            describedPieces = hashes
        } else if let verifier = hashes.flatMap(verifier) {
            (pieces, describedPieces) = (verifier, hashes)
        }
        checkPieces()
        if let demands, waitingEnd == nil, let part = body.part {
            hasher.runAgain(demands, on: part, total: version.total)
        }
        let mirrors = file.urls.filter {
            $0.isMirror(of: request.url, allowsDowngrade: request.settings.value.allowsDowngrade)
        }
        return (mirrors, demands, request.pieces == nil && pieces != nil ? hashes : nil)
    }
}

/// The mirrors of a file, and the Metalink, that the responses to its requests name in `Link` fields, also those of redirects.
struct NamedMirrors {
    private var duplicates: [(priority: Int, url: TransferURL)] = []
    private(set) var metalink: TransferURL?

    /// Those with the lowest priority first.
    var urls: [TransferURL] {
        // By their place as well, because the sort need not keep the order of equal elements.
        duplicates.enumerated().sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }
            .map(\.element.url)
    }

    var isEmpty: Bool { duplicates.isEmpty && metalink == nil }

    /// - Parameter base: the URL of the response.
    mutating func take(_ links: [WebLink], from base: String, of request: ConnectionRequest) {
        for link in links where link.isDuplicate || link.isMetalink {
            guard let url = TransferURL(link.target, relativeTo: base),
                url.isMirror(of: request.url, allowsDowngrade: request.settings.value.allowsDowngrade)
            else { continue }
            if link.isMetalink {
                metalink = metalink ?? url
            } else if url != request.url, duplicates.count < LinkField.most,
                !duplicates.contains(where: { $0.url == url })
            {
                duplicates.append((link.priority ?? .max, url))
            }
        }
    }
}
