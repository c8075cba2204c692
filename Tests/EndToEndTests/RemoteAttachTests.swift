import FaultServer
import Foundation
import TestSupport
import Testing

/// The dashboard of a session on another machine, which OpenSSH's server on loopback stands for.
@Suite(.serialized) struct `A session on another machine` {
    private let folder: TestFolder
    /// The folder of the other machine.
    private let far: TestFolder
    /// A port where no server listens: a name that is unknown would be asked of the network.
    private let deaf: HeldPort

    init() throws { (folder, far, deaf) = (try TestFolder(), try TestFolder(), try HeldPort()) }

    private func farWinch(_ arguments: String...) async throws -> Program.Result {
        try await Program(arguments, in: far).wait()
    }

    /// A terminal whose `ssh` reaches the server, and a winch at the other side with a home of its own.
    private func terminal(_ server: SSHServer) async throws -> Tmux {
        try folder.write(
            """
            Host far
              HostName 127.0.0.1
              Port \(server.port)
              User \(NSUserName())
              IdentityFile \(server.clientHome.path(".ssh/id_ecdsa"))
              UserKnownHostsFile \(server.clientHome.path(".ssh/known_hosts"))
              PubkeyAcceptedAlgorithms +ssh-rsa
            Host nowhere
              HostName 127.0.0.1
              Port \(deaf.number)
            """, to: "ssh.conf")
        try folder.writeScript("exec /usr/bin/ssh -F \(folder.path("ssh.conf")) \"$@\"", to: "ssh")
        let variables = Program.environment(in: far).map { "\($0)='\($1)'" }.joined(separator: " ")
        try far.writeScript(
            """
            echo a greeting of the shell
            exec env -i \(variables) \(Program.winch) "$@"
            """, to: "far winch")
        return try await Tmux(
            folder, columns: 100, rows: 24, environment: ["PATH": "\(folder.url.path):/usr/bin:/bin"])
    }

    private var attach: String { "attach far --remote-command '\(far.path("far winch"))'" }

    @Test func `is shown and commanded as one on this machine, after the connection was lost as well`() async throws {
        try await FaultServer.serving { server in
            let machine = try await SSHServer()
            let terminal = try await terminal(machine)
            _ = try await farWinch("serve", server.url("a.bin", "size=400M", "rate=100000"))
            try await terminal.winch(attach + "; echo left-$?")
            try await terminal.wait(for: "a.bin")
            try await InstalledTool.run("/usr/bin/pkill", ["-9", "-f", "/usr/bin/ssh -F \(folder.path("ssh.conf"))"])
            try await terminal.wait(for: "Connection to far lost")
            try await terminal.wait(for: "Connected again")
            try await terminal.type("p")
            try await terminal.wait(for: "paused")
            try await expect(farWinch("status").output.contains("paused"))
            try await terminal.type("a")
            try await terminal.type(server.url("b.bin", "size=1000"))
            try await terminal.press("Enter")
            try await terminal.wait(for: "b.bin")
            // It is downloaded by the other machine, into the session's folder.
            try await eventually("the file in the session's folder") { far.exists("b.bin") }
            try await terminal.type("q")
            try await terminal.wait(for: "winch attach far shows it again")
            try await terminal.wait(for: "left-0")
            try await expectEqual(farWinch("stop").code, 0)
        }
    }

    @Test func `that does not run, or cannot be reached, is named`() async throws {
        let machine = try await SSHServer()
        let terminal = try await terminal(machine)
        try await terminal.winch(attach + "; echo left-$?")
        try await terminal.wait(for: "winch: no session runs for")
        try await terminal.wait(for: "left-69")
        try await terminal.winch("attach -- -oProxyCommand=touch; echo left-$?")
        try await terminal.wait(for: "left-64")
        try await terminal.winch("attach nowhere; echo gone-$?")
        try await terminal.wait(for: "Connection refused")
        try await terminal.wait(for: "gone-69")
    }

    @Test func `is given up when ssh neither answers nor ends`() async throws {
        try folder.writeScript("trap '' TERM; exec >&-; while :; do sleep 0.1; done", to: "ssh")
        let terminal = try await Tmux(
            folder, columns: 100, rows: 24, environment: ["PATH": "\(folder.url.path):/usr/bin:/bin"])
        try await terminal.winch("attach far; echo left-$?")
        try await terminal.wait(for: "left-69")
    }
}
