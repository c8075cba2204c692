import Glibc

/// Simulates a fleet on one nats-server and prints time, load of the server, refusals, and what breaks first at which size.
///
///     winch-fleet-simulator [NAME=NUMBER ...] [seed=N]      for example workers=1000 entries=1e8 mean-size=2e6
@main
enum Main {
    static func main() {
        var (scenario, seed) = (FleetScenario(), UInt64(1))
        for argument in CommandLine.arguments.dropFirst() {
            if argument.hasPrefix("seed="), let given = UInt64(argument.dropFirst(5)) {
                seed = given
                continue
            }
            do throws(FleetScenario.InvalidParameter) {
                try scenario.take(argument)
            } catch {
                let names = (Array(FleetScenario.counts.keys) + FleetScenario.numbers.keys).sorted()
                print("\(error); NAME=NUMBER, with a name of: \(names.joined(separator: " ")) seed")
                exit(64)
            }
        }
        for line in FleetReport(scenario, seed: seed).lines { print(line) }
    }
}
