import Dispatch
import Glibc
import WinchBatch
import WinchModel
import WinchScreen
import WinchTransport

/// Writes settings to the settings file: those that differ from the default, and those that the file has already.
struct SettingsSaver {
    /// The settings file, which need not exist; `nil` with `--no-config` or without a home folder.
    let path: String?
    /// The home folder, to show paths in it as `~/...`; `nil`: not known.
    let home: String?

    /// The largest file that is edited, in bytes; a settings file has a few dozen lines.
    private static let largest = 1 << 20

    private typealias Fault = InputFile.Failure

    func save(_ settings: [NameValueLine]) -> ScreenEvent {
        guard let path else { return .problems(["Nothing is saved: --no-config keeps settings out of files"]) }
        let shown = home.flatMap { path.hasPrefix($0 + "/") ? "~" + path.dropFirst($0.count) : nil } ?? path
        do throws(Fault) {
            let target = try Self.target(of: path)
            var edit = SettingsFileEditor(try Self.read(target))
            for setting in settings { edit.set(setting) }
            let lines = edit.standing(of: settings)
            guard !edit.changed.isEmpty else {
                return .saved("Nothing to save: \(shown) has these settings, or they are the defaults", lines: lines)
            }
            try Self.write(edit.bytes, to: target)
            let words = edit.changed.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
            return .saved("Saved in \(shown): \(words)", lines: lines)
        } catch {
            return .problems(["Settings not saved in \(shown): \(error.message)"])
        }
    }

    /// The target when the path is a symbolic link, so that the file is replaced and not the link.
    private static func target(of path: String) throws(Fault) -> String {
        if let real = realpath(path.cBytes, nil) {
            defer { free(real) }
            return String(systemC: real)
        }
        var status = stat()
        guard errno == ENOENT else { throw failure() }
        guard lstat(path.cBytes, &status) != 0 else {
            throw Fault(message: "it is a link to a file that does not exist")
        }
        return path
    }

    private static func read(_ path: String) throws(Fault) -> [UInt8] {
        // Without O_NONBLOCK, opening a FIFO would block the dashboard until another process writes to it.
        let descriptor = open(path.cBytes, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw failure() }
            return []
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Fault(message: "it is not a regular file") }
        // Replacing a file needs no write permission for it, but a write-protected file must not be changed.
        guard access(path.cBytes, W_OK) == 0 else { throw failure() }
        guard status.st_size <= largest else { throw Fault(message: "it is larger than 1 MiB") }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        // Of a regular file one call reads all there is.
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw failure() }
        guard count <= Int(status.st_size) else { throw Fault(message: "it is being written by another program") }
        let text = Array(bytes[..<count])
        guard !text.starts(with: [0x1F, 0x8B]) else { throw Fault(message: "it is compressed") }
        return text
    }

    /// Replaces the file atomically: writes a new file beside it and renames that.
    static func write(_ bytes: [UInt8], to path: String) throws(InputFile.Failure) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        try make(folder.isEmpty ? "/" : folder)
        var status = stat()
        let isThere = stat(path.cBytes, &status) == 0
        var template = "\(path).XXXXXX".cBytes
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        do throws(Fault) {
            if isThere {
                // The mode after the owner, because fchown may clear mode bits.
                let isOwned = fchown(descriptor, status.st_uid, status.st_gid) == 0 || status.st_uid == geteuid()
                guard isOwned else { throw Fault(message: "it belongs to another user") }
                guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw failure() }
            }
            try write(bytes, descriptor)
            // Where a file system cannot sync (EINVAL), nothing is to be waited for.
            guard fsync(descriptor) == 0 || errno == EINVAL, rename(template, path.cBytes) == 0 else { throw failure() }
        } catch {
            unlink(template)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], _ descriptor: Int32) throws(Fault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            rest = rest.dropFirst(count)
        }
    }

    /// Creates a folder and its missing parents.
    ///
    /// - Source: XDG Base Directory Specification: missing folders are created with mode 0700.
    private static func make(_ folder: String) throws(Fault) {
        if mkdir(folder.cBytes, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = folder.lastIndex(of: "/"), slash > folder.startIndex else { throw failure() }
        try make(String(folder[..<slash]))
        guard mkdir(folder.cBytes, 0o700) == 0 || errno == EEXIST else { throw failure() }
    }

    private static func failure() -> Fault { Fault(message: String(cString: strerror(errno)).lowercased()) }
}

/// Changes values in the text of a settings file and keeps everything else: comments, the order, unknown lines, line ends, a
/// byte order mark.
struct SettingsFileEditor {
    private var lines: [Line]
    private(set) var changed: [NameValueLine] = []

    /// One line without its LF; the last one, empty where the file ends with a line end, has none.
    fileprivate struct Line {
        var bytes: ArraySlice<UInt8>
        var option: OptionTable.Option?
        /// The name in the line turns the option off, as `no-exit` does.
        var isNegated = false
    }

    init(_ bytes: [UInt8]) {
        lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .map { index, line in Self.parsed(line, isFirst: index == 0) }
    }

    /// Sets the value of an option: in the last line that names it, or else, unless the value is the default, in a new line at
    /// the end.
    mutating func set(_ setting: NameValueLine) {
        guard let option = OptionTable.ofWinch[setting.name] else { return }
        if let index = lines.lastIndex(where: { $0.option == option }) {
            let line = lines[index]
            let value = line.isNegated ? Self.negated(setting.value) : setting.value
            guard let start = line.valueStart, !Self.isSame(line.value ?? "", value) else { return }
            lines[index].bytes = line.bytes[..<start] + Array(value.utf8)[...] + line.bytes[line.valueEnd...]
        } else {
            guard !Self.isSame(option.standard, setting.value) else { return }
            append(setting, option)
        }
        changed.append(setting)
    }

    private mutating func append(_ setting: NameValueLine, _ option: OptionTable.Option) {
        let hasEnd = lines.last?.bytes.isEmpty ?? false
        if hasEnd { lines.removeLast() }
        let carriageReturn: [UInt8] = hasEnd && lines.last?.bytes.last == 13 ? [13] : []
        let text = Array("\(option.name)=\(setting.value)".utf8) + carriageReturn
        lines += [Line(bytes: text[...], option: option), Line(bytes: [])]
    }

    var bytes: [UInt8] { Array(lines.map(\.bytes).joined(separator: [10])) }

    /// The settings of `settings` that are in the file, with their line numbers from 1.
    func standing(of settings: [NameValueLine]) -> [NameValueLines.Line] {
        settings.compactMap { setting in
            guard let option = OptionTable.ofWinch[setting.name],
                let index = lines.lastIndex(where: { $0.option == option })
            else { return nil }
            return NameValueLines.Line(
                number: index + 1, setting: NameValueLine(name: option.name, value: setting.value))
        }
    }

    private static func parsed(_ bytes: ArraySlice<UInt8>, isFirst: Bool) -> Line {
        var line = Line(bytes: bytes)
        let text = isFirst && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        guard text.first != UInt8(ascii: "#"), let equals = text.firstIndex(of: UInt8(ascii: "=")),
            let name = String(validating: text[..<equals], as: UTF8.self)
        else { return line }
        (line.option, line.isNegated) = OptionTable.ofWinch.meaning(of: String(Substring(name).trimmingBlanks()))
        return line
    }

    private static func negated(_ value: String) -> String { NameValueLine.boolean(value) == true ? "no" : "yes" }

    /// Whether both values have the same meaning, such as `2M` and `2048K`, or `on` and `yes`.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        if let one = ByteRate(parsing: one), let other = ByteRate(parsing: other) { return one == other }
        if let one = NameValueLine.boolean(one), let other = NameValueLine.boolean(other) { return one == other }
        return false
    }
}

extension SettingsFileEditor.Line {
    /// The index after `=` and the blanks behind it; `nil` without a `=`.
    fileprivate var valueStart: Int? {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return bytes[(equals + 1)..<bodyEnd].firstIndex { !$0.isBlank } ?? bodyEnd
    }

    /// The index before the blanks at the end and the line end.
    fileprivate var valueEnd: Int {
        let start = valueStart ?? bodyEnd
        return (bytes[start..<bodyEnd].lastIndex { !$0.isBlank } ?? start - 1) + 1
    }

    fileprivate var value: String? {
        valueStart.flatMap { String(validating: bytes[$0..<max($0, valueEnd)], as: UTF8.self) }
    }

    private var bodyEnd: Int { (bytes.lastIndex { $0 != 13 } ?? bytes.startIndex - 1) + 1 }
}

/// The file of a session's settings that were changed while it ran, such as its rate limit: the next session begins with them, even
/// when the list is empty.
struct SessionSettingsFile: Sendable {
    let path: String
    /// Has a thread of its own: a home folder may hang, and the engine must not.
    private let writer = DispatchQueue(label: "winch.settings")

    init(folder: String) { path = folder + "/session.conf" }

    func read() -> [NameValueLine] {
        guard let bytes = try? InputFile.read(path) else { return [] }
        return NameValueLines(parsing: bytes).lines.map(\.setting)
    }

    /// Replaces the file as a whole, on another thread: a session that is killed leaves the old settings or the new ones. What
    /// cannot be written counts until the end of this session.
    func writeSoon(_ settings: [NameValueLine]) {
        let text = settings.map { "\($0.name)=\($0.value)\n" }.joined()
        writer.async { [path] in try? SettingsSaver.write(text.systemBytes, to: path) }
    }

    /// What is still to be written is in the file as well, unless the home folder hangs.
    func finish() {
        let isWritten = DispatchSemaphore(value: 0)
        writer.async { isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + .seconds(2))
    }
}
