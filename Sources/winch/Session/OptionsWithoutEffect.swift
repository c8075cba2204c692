import ArgumentParser
import WinchModel

/// The options of `winch` that a command of a session, an upload or `-o -` would pass over in silence. They are refused on its
/// command line; in the settings file and the environment they are for other commands.
struct OptionsWithoutEffect {
    let groups: Set<String>
    let names: Set<String>
    /// Those of the groups that have an effect all the same.
    var except: Set<String> = ["limit-rate-each"]
    /// Why they have none, and what has.
    let words: String

    /// A dashboard of a session: what is typed in it is added with the options for transfers.
    static let ofAttachment = OptionsWithoutEffect(
        groups: ["Queue", "Log"],
        names: [
            "input-file", "out", "shard", "sums", "ephemeral", "upload-file", "form", "on-settled",
            "max-command-time", "recursive",
        ],
        words:
            "on the dashboard of a session, which winch opens while one runs: give it to winch serve or winch add, or use winch limit"
    )
    static let ofAddition = OptionsWithoutEffect(
        groups: ["Queue", "Log", "Display"], names: ["ephemeral", "on-settled", "max-command-time"],
        words: "on what is added to a session: give it to winch serve, or use winch limit and winch pause")
    static let ofSession = OptionsWithoutEffect(
        groups: ["Display"], names: [], words: "on a session, which has no display: give it to winch attach")
    static let ofStandardOutput = OptionsWithoutEffect(
        groups: ["Hooks", "Log"],
        names: ["dir", "on-conflict", "on-change", "hold", "no-metalink", "session", "state-dir"],
        words: "with -o -, which writes the bytes to standard output as they come")

    /// No URL is given, and there is no dashboard in which something may be added.
    static let ofResumption = OptionsWithoutEffect(
        groups: ["Files", "Folders", "Transfers", "Uploads"], names: ["on-done", "on-fail"],
        words: "on what is resumed: each keeps the options it was given with")

    /// What the command line names is uploaded.
    static let ofUpload = OptionsWithoutEffect(
        groups: [],
        names: [
            "dir", "on-conflict", "on-change", "file-allocation", "max-size", "no-metalink", "split", "min-split-size",
            "depth", "include", "exclude", "max-files", "no-times", "sums",
        ],
        words: "on an upload, which sends its file as it is, to the name in the URL")
    /// What the command line names are single files.
    static let ofFiles = OptionsWithoutEffect(
        groups: [], names: ["no-times"], words: "on a single file; -r downloads a folder, whose files get the times")

    static let ofNoCertificate = OptionsWithoutEffect(
        groups: [], names: ["key"],
        words: "without --cert, except with SFTP: give the certificate as well, or leave the key out")

    /// - Parameter table: of `winch`.
    /// - Returns: the error; `nil`: all of them have an effect.
    func refusal(of arguments: [String], _ table: OptionTable) -> String? {
        var refused: [String] = []
        for (name, _) in table.given(in: arguments) {
            guard let option = table[name], names.contains(name) || groups.contains(option.section),
                !except.contains(name), !refused.contains("--\(name)")
            else { continue }
            refused.append("--\(name)")
        }
        guard !refused.isEmpty else { return nil }
        return "\(refused.joined(separator: ", ")) \(refused.count == 1 ? "has" : "have") no effect \(words)"
    }
}

extension WinchCommand {
    func refuseStandardOutput() throws {
        guard target.out != .standardOutput else {
            throw ValidationError("a session has no standard output: give -o a name, or run winch -o - URL")
        }
    }
}

extension SettingSources {
    /// - Throws: `ValidationError` when the command line has one of the options.
    func refuse(_ options: OptionsWithoutEffect) throws {
        if let refusal = withoutEffect(options) { throw ValidationError(refusal) }
    }

    /// What is to be said of options that the command line has; `nil`: it has none of them.
    func withoutEffect(_ options: OptionsWithoutEffect) -> String? {
        arguments.isEmpty ? nil : options.refusal(of: arguments, OptionTable.ofWinch)
    }

    /// - Throws: `ValidationError` when the command line has options of downloads and downloads nothing, options of folders and
    ///   names none, or a key that none of its URLs uses.
    func refuseOptionsOfOtherEntries() throws {
        // Entries of a batch may be downloads, and folders.
        guard command.target.inputFile.isEmpty else { return }
        let urls = command.given.urls
        // What is wrong with a URL is told when it is parsed.
        if command.transfer.login.cert == nil, !urls.isEmpty,
            urls.allSatisfy({ (try? TransferURL(typed: $0)).map { $0.scheme != .sftp } ?? false })
        {
            try refuse(.ofNoCertificate)
        }
        if command.isUpload {
            try refuse(.ofUpload)
        } else if !command.urls.isEmpty, !command.folder.recursive {
            try refuse(.ofFiles)
        }
    }
}
