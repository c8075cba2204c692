import ArgumentParser
import Dispatch
import Glibc
import WinchBatch
import WinchFleet
import WinchModel
import WinchSystem
import WinchTransport

struct FleetWork: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work", abstract: "Downloads entries of a run on this machine, until it is stopped.",
        discussion: """
            An entry leaves the queue when its file is complete and on the disk. TERM and Ctrl-C give the entries at work \
            back to the queue at once; those of a worker that was killed go to others within 30 seconds.
            """)

    @OptionGroup var server: FleetServerOptions

    @Option(
        name: [.short, .long], help: ArgumentHelp("The folder for the files; created when missing.", valueName: "DIR"),
        completion: .directory)
    var dir = "."

    @Option(name: [.short, .long], help: ArgumentHelp("Transfers at a time.", valueName: "N"))
    var jobs = 4

    @Option(help: ArgumentHelp("Connections of this machine to one host, at most.", valueName: "N"))
    var perHost = 8

    @Option(help: ArgumentHelp("Connections of all workers together to one host, at most.", valueName: "N"))
    var gate = 8

    @Option(help: ArgumentHelp("The worker's name in lists; the default is that of the machine.", valueName: "NAME"))
    var name: String?

    @Flag(help: "End when the queue is empty.")
    var untilDone = false

    @Option(help: ArgumentHelp("Servers of a cluster that store each entry, for a new run.", valueName: "N"))
    var replicas = 1

    /// Seconds after which the entries of a dead worker are delivered again, for a new run; for the tests.
    @Option(help: .hidden)
    var ackWait = 20

    func validate() throws {
        guard (1...256).contains(jobs) else { throw ValidationError("--jobs is 1 to 256") }
        guard ackWait >= 1 else { throw ValidationError("--ack-wait is a number from 1 up") }
        guard perHost >= 1 else { throw ValidationError("--per-host is a number from 1 up") }
        guard gate >= 1 else { throw ValidationError("--gate is a number from 1 up") }
        guard (1...5).contains(replicas) else { throw ValidationError("--replicas is 1 to 5") }
    }

    func run() async throws {
        OpenFiles.raiseLimit()
        let folder = WorkingFolder(WorkingFolder(CurrentFolder.path ?? "/").absolute(dir))
        var settings = FleetWorker.Settings(folder: folder, name: name ?? Self.machine)
        (settings.jobs, settings.perHost, settings.gate) = (jobs, perHost, gate)
        (settings.endsWhenDone, settings.replicas, settings.ackWait) = (untilDone, replicas, .seconds(ackWait))
        let worker = try FleetWorker(try server.choice(), run: server.run, settings) { FleetOutput.report($0) }
        Self.stop(worker)
        let summary = try await worker.work()
        print(
            "\(NumberFormat.count(summary.done)) complete (\(NumberFormat.bytes(ByteCount(bytes: summary.bytes)))), "
                + "\(NumberFormat.count(summary.failed)) failed")
    }

    /// The signals that end a process.
    private static func endings() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
        return set
    }

    /// They wait for the thread that takes them. Call it before other threads exist.
    static func blockSignals() {
        var set = endings()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Signals within this time are one: `timeout` sends two.
    private static let span = Duration.seconds(1)

    /// The first signal ends the worker, a later one the process.
    private static func stop(_ worker: FleetWorker) {
        DispatchQueue(label: "winch.signals").async {
            var set = endings()
            var number: Int32 = 0
            while sigwait(&set, &number) != 0 {}
            worker.stop()
            let start = ContinuousClock.now
            repeat { while sigwait(&set, &number) != 0 {} } while ContinuousClock.now - start < span
            _exit(128 + number)
        }
    }

    private static var machine: String {
        var name = utsname()
        uname(&name)
        return withUnsafeBytes(of: name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

private enum OpenFiles {
    static func raiseLimit() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 4096))
        setrlimit(resource, &limit)
    }
}
