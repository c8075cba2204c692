import TestSupport
import Testing

@testable import winch

@Suite struct `A remote session` {
    @Test(arguments: ["", "-oProxyCommand=x", "a b", "a\nb"])
    func `is refused for what is no host`(host: String) {
        #expect(throws: (any Error).self) { try RemoteSession(host: host, command: nil, session: nil) }
    }

    @Test(
        arguments: [
            ("far", nil, nil, "winch attach --stdio"),
            ("me@far", "/opt/a b/winch", nil, "'/opt/a b/winch' attach --stdio"),
            ("far", "~/it's/winch", "nightly", #"~/'it'\''s/winch' attach --stdio --session nightly"#),
        ] as [(String, String?, String?, String)])
    func `is reached by a command that the other shell reads as it is meant`(
        host: String, command: String?, session: String?, line: String
    ) throws {
        try expectEqual(RemoteSession(host: host, command: command, session: session).remoteCommand, line)
    }
}
