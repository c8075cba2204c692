import WinchModel

/// The address that a redirect names, and what may be told to its host.
struct RedirectedRequest {
    let url: TransferURL
    /// Without secrets where the origin is another one than that of the request.
    let settings: Shared<TransferSettings>

    /// - Parameters:
    ///   - base: the address that answered.
    ///   - location: as the server wrote it, often relative.
    /// - Returns: `nil` when that is no address of a web server.
    init?(from base: String, to location: String, of request: ConnectionRequest) {
        guard let url = TransferURL(location, relativeTo: base), url.scheme == .http || url.scheme == .https else {
            return nil
        }
        self.url = url
        let sent = request.settings.sent(to: url, namedBy: request.url)
        // The login of an URL is its origin's.
        guard url.login == nil, url.origin == request.url.origin, let login = request.url.login else {
            settings = sent
            return
        }
        var own = sent.value
        (own.user, own.password) = (login.user, login.password)
        settings = Shared(own)
    }
}
