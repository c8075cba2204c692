import TestSupport
import Testing

@testable import WinchModel
@testable import WinchSSH

@Suite struct `The user's ssh_config` {
    private func config(_ text: String, files: [String: String] = [:]) -> SSHConfig {
        SSHConfig(parsing: Array(text.utf8), name: "config") { pattern in
            files[pattern].map { [(name: pattern, bytes: Array($0.utf8))] } ?? []
        }
    }

    @Test func `gives the address and the user of a host, and the first value wins`() {
        let settings = config(
            """
            Port 2200
            Host box !boxes
              HostName real.example.org
              User=alice
              IdentityFile ~/.ssh/first
              Port 2222
            host b*
              User bob
              IdentityFile "~/.ssh/with blank"
            Host *
              User carol
              IdentityFile none
              UserKnownHostsFile ~/.ssh/a ~/.ssh/b
              HostKeyAlias twin
            """
        ).settings(for: "box")
        expectEqual(settings.hostName, "real.example.org")
        expectEqual(settings.user, "alice")
        expectEqual(settings.port, 2200)
        expectEqual(settings.identityFiles, ["~/.ssh/first", "~/.ssh/with blank"])
        expectEqual(settings.knownHostsFiles, ["~/.ssh/a", "~/.ssh/b"])
        expectEqual(settings.hostKeyAlias, "twin")
        expect(!settings.usesProxy)
    }

    @Test(
        arguments: [("box", "box"), ("BOX", "box"), ("a.example.org", "box"), ("b.example.org", "rest"), ("x", "rest")])
    func `matches hosts by patterns, with exceptions`(host: String, user: String) {
        let config = config("Host box *.example.org !b.example.org\nUser box\nHost *\nUser rest\n")
        expectEqual(config.settings(for: host).user, user)
    }

    @Test func `skips Match sections and reports them`() {
        let config = config("Match user root\n  Port 1\nMatch all\n  Port 2\n")
        expectEqual(config.settings(for: "h").port, 2)
        expectEqual(config.problems, ["config:1: Match is not understood and was left out"])
    }

    @Test func `includes files where they are named`() {
        let config = config(
            "Host a\nInclude more\nUser last\nHost *\nPort 5\nInclude more\n",
            files: ["more": "User first\nHost b\nUser inner\n"])
        expectEqual(config.settings(for: "a").user, "first")
        expectEqual(config.settings(for: "b").user, "first")
        expectEqual(config.settings(for: "b").port, 5)
        let endless = self.config("Include me\nUser u", files: ["me": "Include me\n"])
        expectEqual(endless.settings(for: "h").user, "u")
        expectEqual(endless.problems, ["me:1: too many files within files"])
    }

    @Test func `takes precedence over the system's`() {
        var config = config("Host a\nUser own\n")
        config.add(self.config("User system\nPort 7\n"))
        expectEqual(config.settings(for: "a").user, "own")
        expectEqual(config.settings(for: "a").port, 7)
        expectEqual(config.settings(for: "b").user, "system")
    }

    @Test(
        arguments: [
            ("", []), ("# User x", []), ("User x # why", ["User", "x"]), ("User = x", ["User", "x"]),
            ("User=x", ["User", "x"]), ("\tUser  \"a b\" c", ["User", "a b", "c"]), ("User", ["User"]),
            ("User \"open", ["User", "open"]), ("=x", []), ("User 'a b' c", ["User", "a b", "c"]),
            ("User ~/\"a 'b\"c", ["User", "~/a 'bc"]), ("User a\\ b \\'c \\d", ["User", "a b", "'c", "\\d"]),
            ("User \"\" b", ["User", "", "b"]),
        ] as [(String, [String])])
    func `is split into words`(line: String, words: [String]) {
        expectEqual(SSHConfig.words(line), words)
    }

    @Test(arguments: ["Port none", "Port 0", "Port 65536", "ProxyJump none", "Nonsense x", "Port", "User \"\""])
    func `ignores invalid values`(line: String) {
        expect(
            config(line).settings(for: "h") == SSHHostSettings() || config(line).settings(for: "h").usesProxy == false)
        expectNil(config(line).settings(for: "h").port)
    }

    @Test(arguments: ["0", "65536", "ssh"])
    func `reports a port that is none`(port: String) {
        expectEqual(config("User x\nPort \(port)\n").problems, ["config:2: no such port: \(port)"])
        expectEqual(config("Port 65535").problems, [])
    }

    @Test(arguments: ["none", "NONE", "/dev/null"])
    func `may leave the user without known hosts`(file: String) {
        let settings = config("UserKnownHostsFile \(file)\nUserKnownHostsFile ~/later").settings(for: "h")
        expectEqual(settings.knownHostsFiles, [])
    }

    @Test func `may keep key files from being tried`() {
        expectNil(config("User x").settings(for: "h").identityFiles)
        expectEqual(config("IdentityFile none").settings(for: "h").identityFiles, [])
        expectEqual(config("IdentityFile none\nIdentityFile a").settings(for: "h").identityFiles, ["a"])
    }

    @Test(arguments: [
        ("User x", false, false), ("IdentityAgent none", true, false), ("IdentityAgent ~/.ssh/agent", true, false),
        ("IdentityAgent SSH_AUTH_SOCK", false, false),
        ("IdentityAgent $SSH_AUTH_SOCK\nIdentityAgent none", false, false),
        ("PubkeyAuthentication no", true, true), ("PubkeyAuthentication yes", false, false),
    ])
    func `may close the agent to a host, and keys altogether`(text: String, refusesAgent: Bool, refusesKeys: Bool) {
        let settings = config(text).settings(for: "h")
        expectEqual(settings.refusesAgent, refusesAgent)
        expectEqual(settings.refusesKeys, refusesKeys)
    }

    @Test func `may specify a proxy, which is reported`() {
        expect(config("ProxyJump gate").settings(for: "h").usesProxy)
        expectEqual(config("ProxyCommand none\nProxyJump gate").settings(for: "h").usesProxy, false)
    }

    @Test(
        arguments: [
            ("~/.ssh/%h-%r", "/home/me/.ssh/real-you"), ("%d/%n:%p", "/home/me/box:2222"), ("%u%%", "me%"),
            ("/x%", "/x%"), ("%z", "%z"), ("~", "/home/me"), ("~other/x", "~other/x"),
        ])
    func `expands tokens in paths`(text: String, path: String) {
        let tokens = SSHTokens(
            home: "/home/me", localUser: "me", originalHost: "box", host: "real", port: 2222, user: "you")
        expectEqual(tokens.path(text), path)
    }

    @Test(
        arguments: [
            ("${HOME}/%h", "/home/me/real"), ("/a/${KEYS}/${KEYS}", "/a/100%h/100%h"), ("${OTHER}", "${OTHER}"),
            ("${HOME", "${HOME"), ("$HOME", "$HOME"),
        ])
    func `expands variables in paths, but nothing in their values`(text: String, path: String) {
        let tokens = SSHTokens(
            home: "/home/me", localUser: "me", originalHost: "box", host: "real", port: 2222, user: "you")
        let variables = ["HOME": "/home/me", "KEYS": "100%h"]
        expectEqual(tokens.path(text) { variables[$0] }, path)
    }
}
