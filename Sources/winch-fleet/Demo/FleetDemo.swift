import ArgumentParser
import Glibc
import WinchFleet

struct FleetDemo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Shows a fleet of four workers on this machine, with a server of its own.",
        discussion: """
            Starts nats-server with JetStream and a web server that misbehaves on demand on 127.0.0.1, and removes \
            all that it has made when you leave with q. Needs nats-server, and the program fault-server of winch's sources: \
            'make fleet-demo' builds it and shows the demo.
            """)

    @OptionGroup var look: FleetLookOptions

    @Option(
        help: ArgumentHelp(
            "The program fault-server; else the one beside this program, or in PATH.", valueName: "FILE"),
        completion: .file())
    var faultServer: String?

    func run() throws {
        guard isatty(STDOUT_FILENO) != 0 else { throw ValidationError("winch fleet demo needs a terminal") }
        let scene = try DemoScene.open(faultServer: faultServer)
        defer { scene.close() }
        let code = try FleetDashboard(look: look).show(ServerChoice(scene.server), run: DemoScene.run)
        if code != 0 { throw ExitCode(code) }
    }
}

/// The servers and workers of a demo. They belong to a process of their own, which ends them and removes their files when this one
/// has ended, however that happens: it reads from a pipe until that is closed.
struct DemoScene {
    static let run = "demo"

    /// The URL of its NATS server.
    let server: String
    private let keeper: SpawnedProgram
    /// The end of the pipe that tells the keeper that this process is there.
    private let pipe: Int32

    static func open(faultServer: String?) throws -> DemoScene {
        var (life, words): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard Glibc.pipe(&life) == 0, Glibc.pipe(&words) == 0 else {
            throw DemoFault(words: "pipe: \(String(cString: strerror(errno)))")
        }
        // Else the keeper would itself hold the pipe open whose end it waits for.
        for number in life + words { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        let arguments = ["demo-keeper"] + (faultServer.map { ["--fault-server", $0] } ?? [])
        guard
            let keeper = SpawnedProgram(
                "/proc/self/exe", arguments, input: life[0], output: words[1], error: STDERR_FILENO, isDetached: true)
        else { throw DemoFault(words: "the demo cannot start: \(String(cString: strerror(errno)))") }
        Glibc.close(life[0])
        Glibc.close(words[1])
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while text.last != UInt8(ascii: "\n") {
            let count = read(words[0], &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { break }
            text.append(byte)
        }
        Glibc.close(words[0])
        guard text.popLast() == UInt8(ascii: "\n") else {
            // It has said why on standard error.
            Glibc.close(life[1])
            throw ExitCode(keeper.wait())
        }
        return DemoScene(server: String(decoding: text, as: UTF8.self), keeper: keeper, pipe: life[1])
    }

    /// Ends the servers and workers, and waits until their files are removed.
    func close() {
        Glibc.close(pipe)
        keeper.wait()
    }
}

struct DemoFault: Error, CustomStringConvertible {
    let words: String
    var description: String { words }
}
