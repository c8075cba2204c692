import ArgumentParser
import WinchBatch
import WinchModel
import WinchScreen
import WinchTransport

/// The command line of `winch`: the groups of options, declared in the folder CommandLineOptions.
struct WinchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "winch",
        abstract: "Downloads and uploads many files at once, in a full-screen dashboard.",
        usage: """
            winch [URL ...] [-i FILE ...] [options]
            winch                      resumes what earlier runs left unfinished
            winch -r URL/ ...          downloads folders with all that is in them
            winch put FILE ... URL     uploads files; -r uploads folders
            winch serve [URL ...]      starts a session, which needs no terminal
            winch attach [HOST]        opens the dashboard of the session
            winch add URL ...          gives the session more to do
            winch status               lists the transfers of the session
            winch \(TransferSelectionOptions.names.joined(separator: "|")) ID|NAME ...
            winch limit RATE|none      limits the rate of the session
            winch sessions             lists the sessions that run
            winch stop                 ends the session
            winch fleet COMMAND ...    works on one list with many machines
            winch check FILE ...       lists the problems of a batch file
            winch check -r URL/ ...    lists what winch -r would download
            winch history [TEXT ...]   lists past downloads, newest first
            winch info [options]       shows versions, paths and settings
            winch completions SHELL    prints a script for bash, zsh or fish
            winch help [COMMAND]       shows this, or the help of a command
            """,
        discussion: """
            Each URL is a file of its own, or with -r a folder. A batch file (-i) has one entry per line, its mirrors \
            separated by TABs; lines below it that begin with a blank are its options, as in aria2. On a terminal the \
            dashboard opens; press ? for its keys.
            """,
        version: WinchVersion.text)

    @Argument(help: .helpText("What to download: http, https, ftp, ftps or sftp.", "URL"))
    var urls: [String] = []

    @OptionGroup(title: "Files") var target: FileOptions
    @OptionGroup(title: "Folders") var folder: FolderOptions
    @OptionGroup(title: "Queue") var queue: QueueOptions
    @OptionGroup(title: "Transfers") var transfer: TransferOptions
    @OptionGroup(title: "Uploads") var upload: UploadOptions
    @OptionGroup(title: "Hooks") var hook: HookOptions
    @OptionGroup(title: "State") var keeping: StateOptions
    @OptionGroup(title: "Display") var frontEnd: DisplayOptions
    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Settings") var config: ConfigFileOptions
    @OptionGroup(visibility: .private) var serve: ServeOptions
    @OptionGroup(visibility: .private) var attach: AttachOptions
    @OptionGroup var session: SessionOptions

    /// The groups above.
    static let sections: [any OptionSection.Type] = [
        FileOptions.self, FolderOptions.self, QueueOptions.self, TransferOptions.self, UploadOptions.self,
        HookOptions.self, StateOptions.self, DisplayOptions.self, LogOptions.self, ConfigFileOptions.self,
    ]

    /// The files of `winch put` or `-T`, and the URLs of the command line.
    var given: (files: [String], urls: [String]) {
        upload.isPut ? (Array(urls.dropLast()), urls.suffix(1)) : (upload.uploadFile, urls)
    }

    var isUpload: Bool { upload.isPut || !upload.uploadFile.isEmpty || !upload.form.isEmpty }

    func validate() throws {
        // As a URL among others it would fail alone, and `winch -d x put f URL` would download what was to be replaced.
        if !upload.isPut, urls.count > 1, let word = urls.first, Main.commandNames.contains(word) {
            throw ValidationError(CommandLineErrors.words(for: .noScheme(word), of: word))
        }
        if upload.isPut {
            guard urls.count > 1 || urls.count == 1 && !upload.form.isEmpty else {
                throw ValidationError("winch put needs at least one file, and the URL as the last argument")
            }
            guard upload.uploadFile.isEmpty else { throw ValidationError("winch put names its files without -T") }
        } else if isUpload {
            guard urls.count == 1 else { throw ValidationError("-T and -F go with exactly one URL") }
        }
        if upload.isPut {
            try folder.validate(with: upload)
        } else {
            try folder.validate(with: target, urls: urls, isUpload: isUpload, isAttached: session.isAttached)
        }
        guard target.out == nil || !isUpload else {
            throw ValidationError("-o is about a download; the name of an upload is in its URL")
        }
        if target.out != nil, urls.count != 1 || !target.inputFile.isEmpty {
            throw ValidationError("-o names one file, so it goes with exactly one URL; in a batch file use out=NAME")
        }
        if target.checksum != nil, isUpload || urls.count != 1 || !target.inputFile.isEmpty {
            throw ValidationError(
                isUpload
                    ? "--checksum is about a download; the file of an upload is sent as it is"
                    : "--checksum is that of one file, so it goes with exactly one URL; in a batch file use checksum=")
        }
        // Entries of a batch file may be uploads, and so may what is added in a dashboard.
        if !isUpload, !urls.isEmpty, target.inputFile.isEmpty, !session.isAttached {
            do throws(UploadFields.Fault) {
                _ = try upload.fields.order(for: [])
            } catch {
                guard case .noFile(let option) = error else { return }
                throw ValidationError("--\(option) is about an upload; name the file with -T")
            }
        }
    }
}

extension WinchCommand {
    var nothingToFetch: ValidationError {
        ValidationError(
            target.inputFile.isEmpty
                ? "nothing to download: give URLs, or a batch file with -i" : "nothing to download: the batch is empty")
    }

    /// The settings of a transfer whose batch entry does not change them.
    var transferSettings: TransferSettings {
        var settings = TransferSettings()
        target.apply(to: &settings)
        folder.apply(to: &settings)
        queue.apply(to: &settings)
        transfer.apply(to: &settings)
        hook.apply(to: &settings)
        return settings
    }

    /// - Parameters:
    ///   - isWatched: a user sees the queue and can free disk space.
    ///   - seed: the seed for the random waits before retries.
    func queueSettings(isWatched: Bool, seed: UInt64 = .random(in: .min ... .max)) -> QueueSettings {
        var settings = QueueSettings()
        queue.apply(to: &settings, isWatched: isWatched)
        settings.slots = min(settings.slots, DescriptorLimit.transfers())
        // A quiet run shows no progress bar, so the sizes of waiting files are not requested ahead of time.
        if frontEnd.output == .quiet { settings.mode = .simple }
        settings.undoSpan = Dashboard.undoSpan
        settings.seed = seed
        return settings
    }
}
