import Hashing
import TestSupport
import Testing

@Suite struct `A hash` {
    /// - Source: RFC 1321, A.5; FIPS 180-4, examples.
    @Test(
        arguments: [
            (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
            (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
            (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha512, "",
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                    + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
            ),
            (
                .sha512, "abc",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
        ] as [(HashFunction, String, String)])
    func `equals the example in the standard`(function: HashFunction, text: String, hex: String) {
        expectEqual(function.hash(Array(text.utf8)).hex, hex)
    }

    @Test func `has the length of its function`() {
        expectEqual(HashFunction.allCases.map { $0.hash([]).count }, [16, 20, 32, 64])
    }

    /// - Source: RFC 2202, section 3; the last one is OpenSSL's own, for a key without a byte.
    @Test(
        arguments: [
            (Array(repeating: 0x0B, count: 20), "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
            (Array("Jefe".utf8), "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
            (
                Array(repeating: 0xAA, count: 80), "Test Using Larger Than Block-Size Key - Hash Key First",
                "aa4ae5e15272d00e95705637ce8a3b55ed402112"
            ),
            ([], "", "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d"),
        ] as [([UInt8], String, String)])
    func `with a key equals the example in the standard`(key: [UInt8], text: String, hex: String) {
        expectEqual(HashFunction.hmacSHA1(key: key, Array(text.utf8)).hex, hex)
    }
}
