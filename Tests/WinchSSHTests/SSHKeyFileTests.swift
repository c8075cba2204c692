import TestSupport
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
        expectEqual(file?.isEncrypted, isEncrypted)
        expectEqual(file?.isRSA, isRSA)
    }

    @Test(
        arguments: [
            "", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA== me@host", "-----BEGIN CERTIFICATE-----\nAAAA\n",
            "PuTTY-User-Key-File-3: ssh-ed25519", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n",
            "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA////fw==\n",
        ])
    func `is recognised by its content`(text: String) {
        expectNil(SSHKeyFile(parsing: Array(text.utf8)))
    }
}
