import ArgumentParser
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The options of proxy, encryption and redirects` {
    @Test func `set how a server is reached and trusted`() throws {
        var settings = TransferSettings()
        let options = [
            "--proxy", "http://proxy:3128", "--cacert", "ca.pem", "--insecure", "--allow-downgrade", "--ftp-tls",
            "require", "--max-redirs", "3",
        ]
        try ProxyTLSRedirectOptions.parse(options).apply(to: &settings)
        #expect(settings.proxy == "http://proxy:3128")
        #expect(settings.caFile == "ca.pem")
        #expect(settings.isInsecure && settings.allowsDowngrade)
        #expect(settings.ftpTLS == .require)
        #expect(settings.maxRedirects == 3)
    }

    @Test func `are strict by default`() throws {
        var settings = TransferSettings()
        try ProxyTLSRedirectOptions.parse([]).apply(to: &settings)
        #expect(!settings.isInsecure && !settings.allowsDowngrade)
        #expect(settings.maxRedirects == TransferSettings().maxRedirects)
    }

    @Test(arguments: ["--ftp-tls=maybe", "--max-redirs=-1"])
    func `refuse what has no meaning`(option: String) {
        #expect(throws: (any Error).self) { try ProxyTLSRedirectOptions.parse([option]) }
    }
}
