import Foundation
import TestSupport
import Testing

@testable import WinchModel

/// A second front end may run in another process: its messages are trusted as little as a batch file.
@Suite struct `A message from another front end` {
    @Test(arguments: ["\"../x\"", "\"/etc/passwd\"", "\"\"", "\"a\\u0000b\""])
    func `cannot contain a path outside the target folder`(json: String) {
        #expect(throws: (any Error).self) { try JSONDecoder().decode(TargetPath.self, from: Data(json.utf8)) }
    }

    @Test(arguments: ["\"file:///etc/passwd\"", "\"nonsense\"", "\"http://a b/\""])
    func `cannot contain an invalid URL`(json: String) {
        #expect(throws: (any Error).self) { try JSONDecoder().decode(TransferURL.self, from: Data(json.utf8)) }
    }

    @Test func `is decoded as it was encoded`() throws {
        let spec = TransferSpec(urls: [try TransferURL("http://a/x")], name: try TargetPath("b/c"))
        try expectEqual(JSONDecoder().decode(TransferSpec.self, from: JSONEncoder().encode(spec)), spec)
    }
}
