import ArgumentParser
import FaultServer
import FoundationEssentials
import Glibc
import Resources

@main
struct FaultServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault-server",
        abstract: "A web server on 127.0.0.1 that misbehaves as each URL asks.",
        discussion: """
            Try curl -i 'http://127.0.0.1:PORT/f/demo.bin?size=3M&rate=1M&drop=2M'. A file's bytes follow from its name. \
            Besides: /raw?bytes= is an answer spelled out, /tree/OPTIONS/ a tree of files. Uploads go to /up/NAME, those by \
            tus to /tus.

            \(FaultServer.options)
            """)

    @Option(help: "The port to listen on; 0 takes any free one.")
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("Write the port's number to this file once it listens.", valueName: "file"))
    var portFile: String?

    @Option(
        help: ArgumentHelp("Write the demo's batch of URLs, with this server's address in them.", valueName: "file"))
    var demoFile: String?

    func run() async throws {
        let server = try await FaultServer.start(port: Int(port))
        if let demoFile { try write(Resources.demoBatch(origin: server.origin), to: demoFile) }
        if let portFile { try write("\(server.port)\n", to: portFile) }
        print(server.origin)
        // Into a pipe, stdout would keep the line in its buffer.
        fflush(nil)
        await server.waitUntilClosed()
    }

    /// Scripts wait for the file and must find it complete.
    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    }
}
