/// The options of a URL, looked up one by one as `FaultOptions` declares them.
///
/// Without a URL it collects the lines of `--help` from the same declarations.
struct QueryOptions {
    private let options: [OptionText]
    private var names: Set<String> = []
    private(set) var help: [String]?

    /// - Parameter options: `nil` to collect the help.
    init(_ options: [OptionText]?) {
        self.options = options ?? []
        self.help = options == nil ? [] : nil
    }

    mutating func group(_ title: String) { help?.append(title) }

    /// - Parameter example: a typical value, as it is written in a URL; empty for an option without one.
    mutating func all(_ name: String, _ example: String, _ meaning: String) -> [OptionText] {
        names.insert(name)
        if help != nil {
            let option = example.isEmpty ? name : "\(name)=\(example)"
            help?.append("  \(option)\(String(repeating: " ", count: max(1, 26 - option.count)))\(meaning)")
        }
        return options.filter { $0.name == name }
    }

    mutating func last(_ name: String, _ example: String, _ meaning: String) -> OptionText? {
        all(name, example, meaning).last
    }

    mutating func flag(_ name: String, _ meaning: String) -> Bool { last(name, "", meaning) != nil }

    /// A typing error in a batch file must not pass for an honest server.
    func refuseUnknown() throws(FaultServerFailure) {
        for option in options where !names.contains(option.name) { throw .unknownOption(option.name) }
    }
}

/// One `name=value` or bare `name` of a query.
struct OptionText: Equatable, Sendable {
    let name: String
    /// Decoded to bytes, not to text: a hostile header need not be UTF-8.
    let bytes: [UInt8]
    /// As it was received, so that a redirect can repeat it unchanged.
    let raw: String

    init(_ raw: Substring) {
        let parts = raw.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        self.name = String(decoding: Percent.decoded(parts.first ?? ""), as: UTF8.self)
        self.bytes = parts.count < 2 ? [] : Percent.decoded(parts[1])
        self.raw = String(raw)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    var failure: FaultServerFailure { .badValue(option: name, value: text) }

    /// A whole number, e.g. of bytes: `5`, `64K`, `3M`, `2G` in powers of 1024.
    ///
    /// - Parameter least: replaces a smaller number.
    func count(from least: Int64 = 0) throws(FaultServerFailure) -> Int64 {
        var digits = text[...]
        var shift: Int64 = 0
        switch digits.last {
        case "K", "k": shift = 10
        case "M", "m": shift = 20
        case "G", "g": shift = 30
        default: break
        }
        if shift > 0 { digits = digits.dropLast() }
        guard let number = Int64(digits), number >= 0, number <= Self.largest >> shift else { throw failure }
        return max(least, number << shift)
    }

    /// An exbibyte: more than any test asks for, and sums of a few of them still fit.
    private static let largest: Int64 = 1 << 60

    func seconds() throws(FaultServerFailure) -> Duration {
        guard let number = Double(text), number >= 0, number <= 1e6 else { throw failure }
        return .seconds(number)
    }

    func choice<Value: RawRepresentable>() throws(FaultServerFailure) -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: text) else { throw failure }
        return value
    }

    func status() throws(FaultServerFailure) -> Int {
        guard let number = Int(text), (100...999).contains(number) else { throw failure }
        return number
    }

    /// `503,close,200`.
    func answers() throws(FaultServerFailure) -> [FaultOptions.Answer] {
        var answers: [FaultOptions.Answer] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            switch word {
            case "close": answers.append(.close)
            case "reset": answers.append(.reset)
            default:
                guard let code = Int(word), (100...999).contains(code) else { throw failure }
                answers.append(.status(code))
            }
        }
        return answers
    }
}
