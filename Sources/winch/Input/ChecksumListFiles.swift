import ArgumentParser
import Glibc
import WinchBatch
import WinchKit
import WinchModel
import WinchQueue
import WinchTerminal
import WinchTransport

/// The checksums of files from the lists of `--sums`.
struct ChecksumListFiles: Sendable {
    private(set) var list = ChecksumList()
    /// By which the settings of transfers name it that it may still verify; `nil`: it is not kept.
    let key: String?
    /// This list, and those of earlier runs.
    let lists: ChecksumLists
    /// Messages about ignored lines: `SHA256SUMS:12: warning: ...`.
    private(set) var problems: [String] = []
    /// Of the lists, for messages.
    private var names: [String] = []
    /// Each by itself, with its name, if there are several.
    private var parts: [(name: String, list: ChecksumList)] = []

    /// 16 MiB, in bytes; the list of a whole distribution has 1 MiB.
    static let largest = 16 << 20

    /// Reads the lists from files, or downloads them from URLs.
    ///
    /// - Parameters:
    ///   - files: what `files` returned; `nil`: they are read here.
    ///   - settings: the settings of all transfers, also used for the lists.
    ///   - specs: the entries, as far as they are known.
    ///   - isKept: the transfers may be gone on with by a later run.
    /// - Throws: when a list cannot be read or has no checksums, because the files could then not be verified.
    init(
        _ sources: [String], files: [String: [UInt8]]? = nil, settings: TransferSettings,
        for specs: ArraySlice<TransferSpec> = [], isKept: Bool = false
    ) throws {
        let files = try files ?? Self.files(sources)
        for source in sources {
            let (name, bytes) = try files[source].map { (source, $0) } ?? Self.download(source, settings, specs)
            names.append(name)
            let before = list.entries
            let fileName = name.split(separator: "/").last.map(String.init)
            let found = list.read(bytes, name: fileName)
            if sources.count > 1 {
                var part = ChecksumList()
                _ = part.read(bytes, name: fileName)
                parts.append((name, part))
            }
            guard list.entries > before else {
                let reason = found.first.map { "; line \($0.line): \($0.message)" } ?? ""
                throw ValidationError("--sums \(name): no checksums in it" + reason)
            }
            problems += found.map { "\(name):\($0.line): \($0.severity.rawValue): \($0.message)" }
        }
        key = isKept && !list.isEmpty ? String(UInt64.random(in: .min ... .max), radix: 36) : nil
        lists = ChecksumLists(list, key: key)
    }

    /// Why the lists have verified nothing, after the run; `nil`: they have, or no file is complete.
    func fault(after summary: RunSummary) -> String? {
        guard !list.isEmpty, summary.listed == 0, summary.unlisted > 0 else { return nil }
        return fault + "nothing was verified"
    }

    /// Which of several lists have verified nothing, while others have.
    func notices(after summary: RunSummary) -> [String] {
        guard summary.listed > 0 else { return [] }
        return parts.filter { !$0.list.lists(oneOf: summary.listedChecksums, verifiedBy: list) }
            .map { "--sums \($0.name): warning: none of the downloaded files is listed there" }
    }

    /// Why the lists cannot verify any of the entries; `nil`: they name one of them, or there are no lists.
    ///
    /// - Parameter undone: what is not done therefore.
    func fault(of specs: [TransferSpec], undone: String) -> String? {
        // The files of a folder are not known yet.
        guard !list.isEmpty, !specs.contains(where: { $0.isListed || $0.folderOrder != nil }) else { return nil }
        return fault + undone
    }

    /// What a session does not verify by the lists, which name others of its new entries; `nil`: nothing.
    func notice(ofAdded specs: [TransferSpec]) -> String? {
        let files = specs.filter { $0.direction == .down && $0.folderOrder == nil }
        let missing = list.isEmpty ? 0 : files.count { !$0.isListed }
        guard missing > 0 else { return nil }
        return "--sums \(names.joined(separator: ", ")): \(NumberFormat.count(missing)) of "
            + "\(NumberFormat.count(files.count)) files not listed there, and not verified by it: \(Self.ofSessions)"
    }

    /// Why a file may be listed all the same, and what to do.
    static let ofSessions =
        "a session does not look up names that only the server gives; name the file with -o or out=, or give winch serve the list"

    private var fault: String { "--sums \(names.joined(separator: ", ")): none of the files is listed there: " }

    /// The entries with the checksums that are listed for them, in place of those of a Metalink, unless another list has said
    /// them already, such as that of `winch add`.
    ///
    /// The others name the list in their settings, for the names that servers give them, and for the files of folders.
    func demanded(of specs: [TransferSpec]) -> [TransferSpec] {
        guard !list.isEmpty || specs.contains(where: { $0.settings.value.sums != nil }) else { return specs }
        var named: (given: Shared<TransferSettings>, kept: Shared<TransferSettings>)?
        return specs.map { spec in
            guard !spec.isListed, spec.direction == .down else { return spec }
            var spec = spec
            if spec.folderOrder == nil, let list = try? lists.list(for: spec.settings.value), !list.isEmpty,
                let listed = list.checksum(for: spec)
            {
                (spec.listedChecksum, spec.listedOrigin) = (listed, .list)
            } else if let key, spec.settings.value.sums == nil {
                if named?.given !== spec.settings {
                    var settings = spec.settings.value
                    settings.sums = key
                    named = (spec.settings, Shared(settings))
                }
                if let named { spec.settings = named.kept }
            }
            return spec
        }
    }

    static func files(_ sources: [String]) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for source in sources where !isURL(source) && files[source] == nil {
            do throws(InputFile.Failure) {
                files[source] = try InputFile.read(source, largest: largest)
            } catch {
                throw ValidationError("--sums \(error.message)")
            }
        }
        return files
    }

    private static func isURL(_ source: String) -> Bool {
        source.utf8.contains(UInt8(ascii: ":")) && access(source.cBytes, F_OK) != 0
    }

    private static func download(
        _ source: String, _ settings: TransferSettings, _ specs: ArraySlice<TransferSpec>
    ) throws -> (String, [UInt8]) {
        let url: TransferURL
        do throws(TransferURL.Fault) {
            url = try TransferURL(source)
        } catch {
            throw ValidationError("--sums: \(error.message)")
        }
        let own = Self.settings(settings, for: url, of: specs)
        return (TransferURL.withoutSecrets(url.redacted), try download(url, own))
    }

    /// The settings of all transfers for the download of a list: without secrets where no entry has its origin. In a run without
    /// entries they can be meant for the list only.
    static func settings(
        _ given: TransferSettings, for url: TransferURL, of specs: ArraySlice<TransferSpec>
    ) -> TransferSettings {
        let urls = specs.isEmpty ? [url] : specs.flatMap(\.urls)
        return Shared(given).keepingLogin(at: urls).sent(to: url).value
    }

    /// Downloads a list before the run, with the same transport, settings and retries as every file.
    ///
    /// - Parameter given: the settings for the list, of which the checksum and the largest size are replaced.
    /// - Throws: after a message, the exit code of the failure; 7 when the user quit before the end.
    private static func download(_ url: TransferURL, _ given: TransferSettings) throws -> [UInt8] {
        var settings = given
        settings.checksum = nil
        settings.metalink = .save
        settings.maxSize = ByteCount(bytes: Int64(largest))
        let download = try TemporaryDownload(name: "sums")
        defer {
            // End the threads in every case, because the process may end next.
            _ = download.host.end(within: ProcessEnding.timeLimit)
            download.remove()
        }
        let (end, result) = download.run(url, settings, .quiet)
        guard end == .settled, let summary = result else { throw ExitCode(RunSummary.unfinishedCode) }
        if let failure = summary.failures.first {
            ErrorOutput.report("--sums \(TransferURL.withoutSecrets(url.redacted)): \(failure.message)")
            throw ExitCode(failure.exitCode)
        }
        do throws(InputFile.Failure) {
            return try InputFile.read(download.path, largest: largest)
        } catch {
            throw ErrorOutput.Fatal("--sums \(TransferURL.withoutSecrets(url.redacted)): \(error.message)")
        }
    }
}

extension TransferSpec {
    fileprivate var isListed: Bool { listedChecksum != nil && listedOrigin == .list }
}
