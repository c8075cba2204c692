import ArgumentParser

struct FleetAttach: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach", abstract: "Shows a run in the dashboard: all machines and what they download.",
        discussion: """
            q leaves, and the fleet goes on. P pauses or resumes all machines, r and R put failed files into the queue \
            again, c drops one, z and Z limit the rate of all, M lists the machines, ? all keys. Needs a terminal; \
            'winch fleet status --json' is for programs.
            """)

    @OptionGroup var server: FleetServerOptions
    @OptionGroup var look: FleetLookOptions

    func run() throws {
        let code = try FleetDashboard(look: look).show(try server.choice(), run: server.run)
        if code != 0 { throw ExitCode(code) }
    }
}
