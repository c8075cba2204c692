import Testing

@testable import FaultServer

@Suite struct `Basic credentials` {
    @Test(
        arguments: [
            ("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", true), ("basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", true),
            ("Basic QWxhZGRpbjpvcGVu", false), ("Bearer QWxhZGRpbjpvcGVuIHNlc2FtZQ==", false), ("", false),
            (nil, false),
        ] as [(String?, Bool)])
    func `match their own header only`(header: String?, expected: Bool) {
        #expect(BasicCredentials(user: "Aladdin", password: "open sesame").match(header) == expected)
    }
}
