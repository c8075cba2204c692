import WinchModel

/// The address that a redirect names, and what may be told to its host.
struct RedirectedRequest {
    let url: TransferURL
    /// Without login and cookies where the host is another one than that of the request.
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
        settings = url.hasOrigin(of: request.url) ? request.settings : Shared(request.settings.value.withoutSecrets)
    }
}
