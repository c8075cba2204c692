import FaultServer
import Foundation
import TestSupport
import Testing

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
            expectEqual(code, 0)
            expect(server.uploads.contains { $0.method == "PUT" && $0.request.target.contains("/in/l%E9.txt") })
        }
    }
}
