import WinchBatch
import WinchModel

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
