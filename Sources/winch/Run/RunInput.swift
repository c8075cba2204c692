import ArgumentParser
import FoundationEssentials
import Glibc
import WinchQueue
import WinchTerminal

/// What a run of this process is given: the entries of the command line and its batches, and the checksums of `--sums`.
struct RunInput {
    /// Parsed to the end, or as far as a dashboard needs at first.
    var batches: BatchFiles
    let sums: ChecksumListFiles
    /// Have been told.
    let problems: [String]

    /// Reads, and then closes the process to signals, which from now on the poll of a front end receives.
    ///
    /// - Parameter count: of the entries that are parsed.
    /// - Throws: after messages, the exit code when there are only errors.
    init(_ sources: SettingSources, atMost count: Int = .max) throws {
        if let fault = DescriptorLimit.fault { throw ErrorOutput.Fatal(fault) }
        let command = sources.command
        // Before signals are blocked, so that Ctrl-C ends a run that waits for a batch on standard input or a list in a FIFO, or
        // reads a long one.
        batches = try BatchFiles(sources)
        let lists = try ChecksumListFiles.files(command.target.sums)
        batches.read(count)
        // Before other threads exist, which inherit the signal mask.
        SignalMask.close()
        sums = try ChecksumListFiles(
            command.target.sums, files: lists, settings: command.transferSettings, for: batches.specs, isKept: true)
        problems = sources.problems + batches.takeProblems() + sums.problems
        for problem in problems { ErrorOutput.report(problem) }
        if batches.hasNothing, batches.hasErrors { throw ExitCode(RunSummary.usageCode) }
    }
}

/// How many simultaneous transfers the limit of open file descriptors (`ulimit -n`) allows.
///
/// Exceeding it would be fatal: libdispatch opens files in /proc from time to time, and aborts the process when no descriptor
/// is free.
enum DescriptorLimit {
    /// Descriptors for the terminal, the ledger, folders and the libraries.
    private static let reserve = 20
    /// Descriptors for each transfer: its connection, its part file, the file of an earlier transfer that is being finished, and
    /// an idle connection that is kept for reuse.
    private static let perTransfer = 4

    /// The number of free descriptors below which not even one transfer is safe.
    private static let least = 40

    /// The error message when the limit is too low even after raising it to the hard limit; `nil`: it is high enough.
    static var fault: String? {
        let free = free
        guard free < least else { return nil }
        return "only \(max(0, free)) more files may be opened; winch needs \(least): ulimit -n \(raised - free + least)"
    }

    /// How many simultaneous transfers the raised limit allows; at least one.
    static func transfers() -> Int { max(1, (free - reserve) / perTransfer) }

    /// The raised limit minus the open descriptors, some of which may be inherited from the parent process.
    private static var free: Int {
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 3
        return raised - open
    }

    /// Raises the limit as far as allowed, at most to 4096, and returns it.
    private static var raised: Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            // 4096 is enough, and some systems allow a billion.
            var raised = rlimit(rlim_cur: min(limit.rlim_max, max(limit.rlim_cur, 4096)), rlim_max: limit.rlim_max)
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
