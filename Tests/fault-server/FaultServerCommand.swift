import ArgumentParser
import FaultServer
import Glibc
import Resources

@main
struct FaultServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault-server",
        abstract: "A web server on 127.0.0.1 that misbehaves as each URL asks.",
        discussion: """
            Try curl -i 'http://127.0.0.1:PORT/f/demo.bin?size=3M&rate=1M&drop=2M'. A file's bytes follow from its name. \
            Besides: /raw?bytes= is an answer spelled out. Uploads go to /up/NAME, those by tus to /tus.

            \(FaultServer.options)
            """)

    @Option(help: "The port to listen on; 0 takes any free one.")
    var port = 0

    @Option(help: ArgumentHelp("Write the port's number to this file once it listens.", valueName: "file"))
    var portFile: String?

    @Option(
        help: ArgumentHelp("Write the demo's batch of URLs, with this server's address in them.", valueName: "file"))
    var demoFile: String?

    func run() async throws {
        let server = try await FaultServer.start(port: port)
        if let demoFile { try Self.write(Resources.demoBatch(origin: server.origin), to: demoFile) }
        if let portFile { try Self.write("\(server.port)\n", to: portFile) }
        print(server.origin)
        // Into a pipe, stdout would keep the line in its buffer.
        fflush(nil)
        await server.waitUntilClosed()
    }

    /// Written under another name and then renamed: scripts wait for the file and must find it complete.
    private static func write(_ text: String, to path: String) throws {
        let draft = "\(path).\(getpid())"
        guard let file = fopen(draft, "w") else { throw ValidationError("cannot write \(path)") }
        fputs(text, file)
        guard fclose(file) == 0, rename(draft, path) == 0 else { throw ValidationError("cannot write \(path)") }
    }

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is a number from 0 to 65535") }
    }
}
