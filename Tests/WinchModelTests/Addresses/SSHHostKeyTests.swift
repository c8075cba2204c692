import TestSupport
import Testing

@testable import WinchModel

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
        expectEqual(SSHHostKey.fingerprint(text), expected)
    }

    @Test func `is computed from the key, and so is the key's type`() {
        let bytes: [UInt8] = [0, 0, 0, 11] + Array("ssh-ed25519".utf8) + [0, 0, 0, 1, 7]
        let key = SSHHostKey(host: "h", bytes: bytes, sha256: Array(repeating: 0, count: 32))
        expect(key?.type == "ssh-ed25519" && key?.typeName == "ED25519")
        expectEqual(key?.fingerprint, "SHA256:" + String(repeating: "A", count: 43))
        expectEqual(key.flatMap { Base64.decoded(Array($0.key.utf8)) }, bytes)
        expectNil(SSHHostKey(host: "h", bytes: [0, 0, 0, 200, 1], sha256: []))
    }
}
