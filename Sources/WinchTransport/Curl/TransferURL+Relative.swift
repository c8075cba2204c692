import CTransport
import Glibc
import WinchModel

extension TransferURL {
    /// The address that a header field names.
    ///
    /// - Parameters:
    ///   - reference: as the server wrote it, often without scheme and host.
    ///   - base: the address that answered.
    /// - Returns: `nil` when that is no address that Winch knows.
    /// - Source: RFC 3986, section 5.
    init?(_ reference: String, relativeTo base: String) {
        guard let joined = winch_url_joined(base, reference) else { return nil }
        defer { free(joined) }
        guard let url = try? TransferURL(String(cString: joined)) else { return nil }
        self = url
    }
}
