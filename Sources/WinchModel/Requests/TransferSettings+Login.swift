/// Which hosts get the login.
extension TransferSettings {
    /// What may be sent to any host: neither login nor cookies of the user's own header lines.
    package var withoutSecrets: TransferSettings {
        var settings = self
        (settings.user, settings.password, settings.certificateFile) = (nil, nil, nil)
        settings.headers.removeAll(where: Self.isSecret)
        return settings
    }

    fileprivate var hasSecrets: Bool {
        user != nil || password != nil || certificateFile != nil || headers.contains(where: Self.isSecret)
    }

    private static func isSecret(_ line: String) -> Bool {
        let name = line.prefix { $0 != ":" && $0 != ";" }.lowercased().filter { $0 != " " }
        return name == "authorization" || name == "cookie"
    }
}

extension Shared where Value == TransferSettings {
    /// The settings for a request to a URL: without secrets where its host does not get the login.
    package func sent(to url: TransferURL) -> Shared {
        guard let hosts = value.loginHosts, !hosts.contains(url.hostKey) else { return self }
        return Shared(value.withoutSecrets)
    }

    /// Settings whose login goes only to the hosts of these URLs, which the user gave; the same object when that is so already,
    /// or when there is no login.
    package func keepingLogin(at urls: some Collection<TransferURL>) -> Shared {
        guard value.hasSecrets, value.loginHosts == nil else { return self }
        var settings = value
        settings.loginHosts = Set(urls.map(\.hostKey)).sorted()
        return Shared(settings)
    }
}
