import ArgumentParser
import WinchBatch
import WinchLedger
import WinchModel
import WinchScreen
import WinchTransport

/// Reads the values of options. Each function throws an error whose description shows a valid value.
enum OptionValueParsing {
    static func atLeastOne(_ text: String) throws -> Int { try number(text, in: 1...Int.max, "1 up") }

    static func notNegative(_ text: String) throws -> Int { try number(text, in: 0...Int.max, "0 up") }

    static func frames(_ text: String) throws -> Int { try number(text, in: 1...20, "1 to 20") }

    private static func number(_ text: String, in range: ClosedRange<Int>, _ words: String) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw ValidationError("a number from \(words), not '\(text)'")
        }
        return number
    }

    static func columns(_ text: String) throws -> ColumnChoice {
        let (choice, problems) = ColumnChoice.parsing(text)
        if let problem = problems.first { throw ValidationError(problem) }
        return choice
    }

    static func sort(_ text: String) throws -> String {
        if let fault = SettingText.fault(ofSort: text) { throw ValidationError(fault) }
        return text
    }

    static func seconds(_ text: String) throws -> Duration { try Duration.span(reading: text) }

    static func positiveSeconds(_ text: String) throws -> Duration {
        let span = try seconds(text)
        guard span > .zero else { throw ValidationError("seconds above 0") }
        return span
    }

    /// A rate limit; `.zero` means no limit, as in aria2.
    static func rate(_ text: String) throws -> ByteRate { try ByteRate.limit(reading: text) ?? .zero }

    static func size(_ text: String) throws -> ByteCount { try ByteCount.size(reading: text) }

    static func formField(_ text: String) throws -> FormField {
        guard let field = FormField(text) else { throw ValidationError("must be NAME=VALUE, or NAME=@FILE") }
        return field
    }

    static func method(_ text: String) throws -> UploadOrder.Method { try choice(text.uppercased(), of: text) }

    static func resumable(_ text: String) throws -> HTTPUploadProtocol { try choice(text, of: text) }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ word: String, of text: String
    ) throws -> Choice {
        guard let choice = Choice(rawValue: word) else { throw ValidationError("\(Choice.words), not '\(text)'") }
        return choice
    }

    static func userName(_ text: String) throws -> String { try TransferSettings.userName(reading: text) }

    static func proxy(_ text: String) throws -> String { try ProxyAddress.reading(text) }

    static func split(_ text: String) throws -> SplitLimit { try SplitLimit(reading: text) }

    static func shard(_ text: String) throws -> ShardChoice { try ShardChoice(reading: text) }

    /// A folder in normal form, with a leading `~` resolved.
    static func folder(_ text: String) throws -> String {
        guard !text.isEmpty else { throw ValidationError("the name of a folder, not ''") }
        return try Places.current().folder(text)
    }

    /// The name of a session, which is the name of a folder.
    static func sessionName(_ text: String) throws -> String {
        let isGood = text.utf8.allSatisfy { $0.isAlphanumeric || "-_.".utf8.contains($0) }
        guard isGood, !text.isEmpty, text.utf8.count <= 64, !text.hasPrefix(".") else {
            throw ValidationError("the name of a session has letters, digits, '-', '_' and '.', at most 64")
        }
        return text
    }

    /// A file with a leading `~` resolved, or `-`.
    static func file(_ text: String) throws -> String {
        guard !text.isEmpty else { throw ValidationError("the name of a file, not ''") }
        return try Places.current().file(text)
    }

    static func header(_ text: String) throws -> String { try HeaderLine(text).text }

    /// A command; none for an empty text. A program with a slash in its name is made absolute, because the run may be resumed in
    /// another folder.
    static func hook(_ text: String) throws -> HookOptions.Choice {
        guard !text.isEmpty else { return .none }
        return .command(try Places.current().hook(text))
    }

    static func line(_ text: String) throws -> String {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw ValidationError("text without control characters")
        }
        return text
    }

    static func glob(_ text: String) throws -> String {
        guard !text.isEmpty else { throw ValidationError("a pattern, such as '*.iso'") }
        return text
    }

    static func fingerprint(_ text: String) throws -> String {
        guard let fingerprint = SSHHostKey.fingerprint(text) else {
            throw ValidationError("SHA256: and 43 characters of base64, as ssh-keygen -l prints it, not '\(text)'")
        }
        return fingerprint
    }

    static func checksum(_ text: String) throws -> Checksum { try Checksum.reading(text) }

    static func targetPath(_ text: String) throws -> TargetPath {
        do throws(TargetPath.Fault) {
            return try TargetPath(text)
        } catch {
            throw ValidationError("a file below the target folder (-d); '\(text)' \(error.message)")
        }
    }

    /// `-` is standard output; a file with that name must be written `./-`.
    static func outputName(_ text: String) throws -> OutputName {
        text == "-" ? .standardOutput : .file(try targetPath(text))
    }

    static func since(_ text: String) throws -> UnixTime {
        guard let since = UnixTime(since: text, now: SystemClock.date()) else {
            throw ValidationError("7d, 12h, 2026-11-21 or '2026-11-21 18:30', not '\(text)'")
        }
        return since
    }
}
