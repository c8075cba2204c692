import ArgumentParser
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
