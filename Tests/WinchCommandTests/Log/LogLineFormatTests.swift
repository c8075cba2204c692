import Testing

@testable import winch

@Suite struct `A line of the log` {
    @Test(
        arguments: [
            ("plain", "plain"), ("", "\"\""), ("a b", "\"a b\""), ("a\"b", "\"a\\\"b\""), ("a=b", "\"a=b\""),
            ("\u{202E}x", "\\u{202e}x"), ("東", "東"),
        ])
    func `quotes a value that contains separators`(value: String, written: String) {
        #expect(LogLineFormat.quoted(value) == written)
    }
}
