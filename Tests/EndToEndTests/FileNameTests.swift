import FaultServer
import Foundation
import Testing

@Suite struct `The name of a downloaded file` {
    @Test(arguments: [
        ("attachment; filename=\"report.pdf\"", "report.pdf"),
        ("attachment; filename=\"x\"; filename*=UTF-8''na%C3%AFve.txt", "na\u{EF}ve.txt"),
        ("attachment; filename=\"../../etc/passwd\"", "passwd"), ("attachment; filename=\"/etc/shadow\"", "shadow"),
        ("attachment; filename=\"..\"", "plain"), ("attachment; filename=\"\"", "plain"),
        ("attachment; filename*=UTF-8''..%2F..%2Fevil", "evil"), ("attachment; filename=\"-rf\"", "_rf"),
        ("attachment; filename=\"a\u{1B}]0;title\u{7}b\"", "a]0;titleb"),
    ])
    func `that the server gives stays a single harmless path component`(header: String, name: String) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let result = try await Program.run(
                server.url("plain", "size=9", "disposition=\(header)"), "-d", "in/got", "--output", "quiet", in: folder)
            #expect(result.code == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("in/got")) == [name])
            #expect(try folder.names("in") == ["got"])
        }
    }

    @Test func `that two entries share gets a number`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let urls = (0..<3).map { server.url("same.tar.gz", "size=1000", "seed=\($0)") }
            try folder.write(urls.joined(separator: "\n"), to: "urls.txt")
            #expect(try await Program.run("-i", "urls.txt", "-d", "got", "--output", "quiet", in: folder).code == 0)
            #expect(try folder.names("got") == ["same.1.tar.gz", "same.2.tar.gz", "same.tar.gz"])
            #expect(try folder.sha256("got/same.tar.gz") == SeededContent(seed: 0).sha256(size: 1000))
        }
    }

    @Test(
        arguments: [
            ("rename", ["x.1.txt", "x.txt"], "mine"), ("overwrite", ["x.txt"], nil), ("skip", ["x.txt"], "mine"),
        ] as [(String, [String], String?)])
    func `that is taken follows the conflict policy`(policy: String, names: [String], content: String?) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write("mine", to: "x.txt")
            let result = try await Program.run(
                server.url("x.txt", "size=4"), "--on-conflict", policy, "--output", "quiet", in: folder)
            #expect(result.code == 0)
            #expect(try folder.names() == names)
            if let content {
                #expect(try folder.text("x.txt") == content)
            } else {
                #expect(try folder.sha256("x.txt") == SeededContent(name: "x.txt").sha256(size: 4))
            }
        }
    }

    @Test func `is not used twice for the same bytes`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            for _ in 0..<2 {
                #expect(
                    try await Program.run(server.url("x.bin", "size=5000"), "--output", "quiet", in: folder).code == 0)
            }
            #expect(try folder.names() == ["x.bin"])
        }
    }

    @Test func `may equal the part name of another transfer without loss of bytes`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            for name in ["data.part", "data"] {
                let result = try await Program.run(
                    server.url(name, "size=2500"), "-d", "got", "--output", "quiet", in: folder)
                #expect(result.code == 0)
            }
            #expect(try folder.names("got") == ["data", "data.part"])
            for name in ["data.part", "data"] {
                #expect(try folder.sha256("got/" + name) == SeededContent(name: name).sha256(size: 2500))
            }
        }
    }

    @Test func `never follows a link out of the target folder`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try FileManager.default.createDirectory(atPath: folder.path("got"), withIntermediateDirectories: true)
            try FileManager.default.createDirectory(atPath: folder.path("outside"), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("got/link"), withDestinationPath: "../outside")
            try folder.write("precious", to: "victim")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("got/y.part"), withDestinationPath: "../victim")
            try folder.write(
                "\(server.url("x", "size=9"))\n out=link/x\n\(server.url("y", "size=9"))\n", to: "urls.txt")
            let result = try await Program.run("-i", "urls.txt", "-d", "got", "--output", "plain", in: folder)
            #expect(result.code == 17)
            #expect(try folder.names("outside").isEmpty)
            #expect(try folder.text("victim") == "precious")
            #expect(folder.exists("got/y"))
        }
    }
}

@Suite struct `A name whose bytes are no UTF-8` {
    /// The shell makes the names: Swift's texts cannot hold them.
    @Test func `is the folder, the list, the source or the home folder that was meant`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let script = """
                set -e
                cd '\(folder.url.path)'
                d=$(printf 'Musik_f\\374r')
                l="$d/$(printf 'l\\351.txt')"
                mkdir "$d"
                export HOME="$PWD/$d" XDG_STATE_HOME= XDG_CONFIG_HOME=
                printf '%s\\n out=\\351.bin\\n' '\(server.url("b", "size=9"))' > "$l"
                '\(Program.winch)' --output quiet -d "$d" '\(server.url("a", "size=9"))'
                '\(Program.winch)' --output quiet -d "$d" -i "$l"
                '\(Program.winch)' put --output quiet "$l" '\(server.uploadURL("in/"))' --create-dirs
                test -s "$d/a"
                test -s "$d/$(printf '\\351.bin')"
                test -s "$d/.local/state/winch/ledger.sqlite"
                test "$(ls | wc -l)" = 1
                """
            let code = try await InstalledTool.code(
                "/bin/sh", ["-c", script], environment: Program.environment(in: folder))
            #expect(code == 0)
            #expect(server.uploads.contains { $0.method == "PUT" && $0.request.target.contains("/in/l%E9.txt") })
        }
    }
}
