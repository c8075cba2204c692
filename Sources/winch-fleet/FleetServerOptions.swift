import ArgumentParser
import WinchFleet
import WinchTerminal

/// The options of all commands: which server, and which run.
struct FleetServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The NATS server, nats://[USER:PASSWORD@]HOST[:PORT] or tls://..., several of a cluster with commas between; else from WINCH_FLEET_SERVER.",
            valueName: "URL"))
    var server: String?

    @Option(help: ArgumentHelp("The name of the list; several are beside each other.", valueName: "NAME"))
    var run = "default"

    @Option(
        help: ArgumentHelp("A credentials file of NATS, with JWT and seed.", valueName: "FILE"), completion: .file())
    var creds: String?

    @Option(help: ArgumentHelp("The token of the server; else from WINCH_FLEET_TOKEN.", valueName: "TEXT"))
    var token: String?

    @Option(
        help: ArgumentHelp("Certificates to trust, in PEM; turns encryption on.", valueName: "FILE"),
        completion: .file())
    var cacert: String?

    @Option(help: ArgumentHelp("A certificate of this machine, in PEM.", valueName: "FILE"), completion: .file())
    var cert: String?

    @Option(help: ArgumentHelp("The private key of --cert.", valueName: "FILE"), completion: .file())
    var key: String?

    func choice() throws -> ServerChoice {
        let environment = ProcessTexts.environment
        guard let server = server ?? environment["WINCH_FLEET_SERVER"], !server.isEmpty else {
            throw ValidationError("name the server: --server nats://HOST, or WINCH_FLEET_SERVER")
        }
        var choice = ServerChoice(server.contains("://") ? server : "nats://" + server)
        choice.token = token ?? environment["WINCH_FLEET_TOKEN"]
        (choice.credentials, choice.authorities, choice.certificate, choice.key) = (creds, cacert, cert, key)
        return choice
    }

    /// Connects, for a command that ends soon.
    func open() throws -> FleetRun {
        try FleetRun(run, at: NatsLink(try choice(), name: "winch fleet"))
    }

    /// Connects, for a command to a run that was made before.
    func find() async throws -> FleetRun {
        let run = try open()
        try await run.find()
        return run
    }
}
