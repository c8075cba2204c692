import Testing

@testable import WinchModel
@testable import WinchSSH

@Suite struct `A private key file` {
    /// Public halves only; they contain no secret.
    private static let plain = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
        QyNTUxOQAAACAoGXdQWBWvOPzMfzxf8knZnkHpMI6lktAaTyo7Hi5FSgAAAIg0rFkUNKxZ
        FAAAAAtzc2gtZWQyNTUxOQAAACAoGXdQWBWvOPzMfzxf8knZnkHpMI6lktAaTyo7Hi5FSg
        -----END OPENSSH PRIVATE KEY-----
        """

    private static let locked = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABDNejGKfL
        PaNhDOrQGWBURYAAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIOpmYGRIKkl7irrV
        HA3RWc03IAh62a/p5k8iugMzHj6GAAAAkBHs/HT5e7nHAq91LeuX9Lv90amNhQzo2pRXiu
        -----END OPENSSH PRIVATE KEY-----
        """

    @Test(
        arguments: [
            (plain, false, false), (locked, true, false),
            ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n", false, true),
            (
                "-----BEGIN RSA PRIVATE KEY-----\r\nProc-Type: 4,ENCRYPTED\r\nDEK-Info: AES-128-CBC,0\r\n\r\nAAAA\r\n"
                    + "-----END RSA PRIVATE KEY-----\r\n", true, true
            ),
            ("-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----", false, false),
            ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIF\n-----END ENCRYPTED PRIVATE KEY-----", true, false),
            ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", false, false),
        ] as [(String, Bool, Bool)])
    func `shows whether it needs a passphrase`(text: String, isEncrypted: Bool, isRSA: Bool) {
        let file = SSHKeyFile(parsing: Array(text.utf8))
        #expect(file?.isEncrypted == isEncrypted)
        #expect(file?.isRSA == isRSA)
    }

    @Test(
        arguments: [
            "", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA== me@host", "-----BEGIN CERTIFICATE-----\nAAAA\n",
            "PuTTY-User-Key-File-3: ssh-ed25519", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n",
            "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA////fw==\n",
        ])
    func `is recognised by its content`(text: String) {
        #expect(SSHKeyFile(parsing: Array(text.utf8)) == nil)
    }
}

@Suite struct `A fingerprint` {
    @Test(
        arguments: [
            (
                "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDTzilmMJxRnPTMzoA",
                "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDTzilmMJxRnPTMzoA"
            ),
            ("uNiVztksCsDhcc0u9e8BgrJXVGDTzilmMJxRnPTMzoA=", "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDTzilmMJxRnPTMzoA"),
            ("SHA256:", nil), ("MD5:16:27:ac", nil), ("SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDTzilmMJxRnPTMzo", nil),
        ] as [(String, String?)])
    func `is accepted in the form that ssh-keygen prints`(text: String, expected: String?) {
        #expect(HostKey.fingerprint(text) == expected)
    }

    @Test func `is computed from the key, and so is the key's type`() {
        let bytes: [UInt8] = [0, 0, 0, 11] + Array("ssh-ed25519".utf8) + [0, 0, 0, 1, 7]
        let key = HostKey(host: "h", bytes: bytes, sha256: Array(repeating: 0, count: 32))
        #expect(key?.type == "ssh-ed25519" && key?.typeName == "ED25519")
        #expect(key?.fingerprint == "SHA256:" + String(repeating: "A", count: 43))
        #expect(key.flatMap { Base64.decoded(Array($0.key.utf8)) } == bytes)
        #expect(HostKey(host: "h", bytes: [0, 0, 0, 200, 1], sha256: []) == nil)
    }

    @Test func `is not shown for a secret text`() {
        let secret = Secret("hunter2")
        #expect("\(secret)" == "(hidden)")
        #expect(!"\(Command.unlock(keyFile: "f", secret))".contains("hunter2"))
    }
}
