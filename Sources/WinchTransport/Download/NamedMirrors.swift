import CTransport
import Glibc
import WinchHTTP
import WinchModel

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

    /// Takes the links of one response.
    ///
    /// - Parameters:
    ///   - base: the URL of the response.
    ///   - request: what was asked for first.
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
