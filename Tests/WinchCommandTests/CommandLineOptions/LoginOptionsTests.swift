import ArgumentParser
import TestSupport
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The options of logins` {
    private let fingerprint = "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDTzilmMJxRnPTMzoA"

    @Test func `set names, passwords, certificates, keys and cookies`() throws {
        var settings = TransferSettings()
        let options = [
            "--user", "me", "--password", "p", "--cert", "c.pem", "--key", "k.pem", "--host-key", fingerprint,
            "--accept-new-host-keys", "--netrc", "--cookies", "jar",
        ]
        try LoginOptions.parse(options).apply(to: &settings)
        #expect(settings.user == "me" && settings.password == "p")
        #expect(settings.certificateFile == "c.pem" && settings.keyFile == "k.pem")
        #expect(settings.hostKeys == [fingerprint])
        #expect(settings.acceptsNewHostKeys && settings.usesNetrc)
        #expect(settings.cookieFile == "jar")
    }

    @Test func `can be turned off again, and trust no host by themselves`() throws {
        var settings = TransferSettings()
        try LoginOptions.parse(["--netrc", "--no-netrc"]).apply(to: &settings)
        #expect(!settings.usesNetrc && !settings.acceptsNewHostKeys && settings.hostKeys.isEmpty)
    }

    @Test func `refuse a fingerprint of another form`() {
        #expect(throws: (any Error).self) { try LoginOptions.parse(["--host-key", "MD5:16:27:ac"]) }
    }

    @Test func `refuse cookies in JSON, which libcurl would take for none`() throws {
        let folder = try TemporaryFolder()
        folder.write("jar", Array(" [{\"name\": \"a\"}]".utf8))
        folder.write("cookies.txt", Array("# Netscape HTTP Cookie File\n".utf8))
        _ = try TransferOptions.parse(["--cookies", folder.path + "/cookies.txt"])
        #expect(throws: (any Error).self) { try TransferOptions.parse(["--cookies", folder.path + "/jar"]) }
    }
}
