import FaultServer
import Foundation
import TestSupport
import Testing

@Suite struct `A batch file` {
    @Test func `is checked with a line number for every problem`() async throws {
        let folder = try TestFolder()
        try folder.write(
            "# fine\nhttp://h/a\n\tcolour=blue\ngopher://h/b\nhttp://h/c\n out=../c\nhttp://h/d\r\n", to: "urls.txt")
        let result = try await Program.run("check", "urls.txt", in: folder)
        expectEqual(result.code, 64)
        let text = result.output + result.errors
        expect(text.contains("urls.txt:3: warning: unknown option: colour"))
        expect(result.errors.isEmpty, "what is wrong is said once: \(result.errors)")
        expect(text.contains("urls.txt:4: error: cannot fetch gopher://"))
        expect(text.contains("urls.txt:6: error: out must be"))
    }

    @Test func `that is missing is named in the error`() async throws {
        let result = try await Program.run("-i", "nowhere.txt", in: try TestFolder())
        expectEqual(result.code, 64)
        expect(result.errors.contains("nowhere.txt: No such file"))
    }

    @Test func `sets options for each entry`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write(
                """
                \(server.url("a", "size=10"))
                  out=deep/er/a.bin
                  header=X-Test: yes
                  user-agent=batch/1
                  referer=http://from.example/
                \(server.url("b", "size=10", "user=u", "pass=p"))
                  user=u
                  password=p
                  dir=other
                """, to: "urls.txt")
            let result = try await Program.run("-i", "urls.txt", "-d", "got", "--output", "quiet", in: folder)
            expectEqual(result.code, 0)
            expect(folder.exists("got/deep/er/a.bin") && folder.exists("other/b"))
            let asked = try server.requests(for: "a").last.unwrapped("a request")
            expectEqual(asked.userAgent, "batch/1")
            expectEqual(asked.referer, "http://from.example/")
        }
    }
}
