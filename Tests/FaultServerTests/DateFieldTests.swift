import Testing

@testable import FaultServer

@Suite struct `A date field` {
    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ] as [(Int64, String)])
    func `has the format of RFC 9110`(seconds: Int64, expected: String) {
        #expect(DateField.text(seconds) == expected)
    }
}
