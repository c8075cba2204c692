/// One unit of a program's output to a terminal.
enum TerminalToken: Equatable, Sendable {
    case character(Unicode.Scalar)
    /// A C0 control that stands by itself.
    case control(UInt8)
    /// ESC and what follows it: `(B`, `M`, `=`.
    case escape(String)
    case sequence(ControlSequence)
    /// OSC: the text between `ESC ]` and its end, which is BEL or `ESC \`.
    case command(String)
    /// Output that a terminal should never get, with the reason.
    case broken(String)
}

/// `ESC [`, a mark such as `?`, numbers, intermediate bytes and a final byte.
///
/// - Source: ECMA-48, section 5.4.
struct ControlSequence: Equatable, Sendable, CustomStringConvertible {
    /// Mark, intermediate bytes and final byte: `?h`, `H`, `!p`.
    var name: String
    /// `nil` where none is given.
    var numbers: [Int?]

    /// - Parameter body: what follows `ESC [`. `nil` for one that is not well formed.
    init?(_ body: [UInt8]) {
        guard let final = body.last else { return nil }
        var rest = body.dropLast()
        var mark: [UInt8] = []
        if let first = rest.first, (0x3C...0x3F).contains(first) { mark = [rest.removeFirst()] }
        let parameters = rest.prefix { (0x30...0x3B).contains($0) }
        let intermediates = rest.dropFirst(parameters.count)
        guard intermediates.allSatisfy({ (0x20...0x2F).contains($0) }) else { return nil }
        // Some terminfo entries separate the numbers of a colour by colons; ITU T.416 has an empty field in an RGB colour
        // (type 2).
        let fields = parameters.split(omittingEmptySubsequences: false) { [0x3A, 0x3B].contains($0) }
        numbers = parameters.isEmpty ? [] : fields.map { Int(String(decoding: $0, as: UTF8.self)) }
        guard zip(numbers, fields).allSatisfy({ $0 != nil || $1.isEmpty }) else { return nil }
        name = String(decoding: mark + intermediates + [final], as: UTF8.self)
    }

    /// A number, or `fallback` where it is missing or 0.
    func number(_ index: Int, else fallback: Int = 1) -> Int {
        guard index < numbers.count, let number = numbers[index], number > 0 else { return fallback }
        return number
    }

    var description: String { "CSI \(numbers.map { $0.map(String.init) ?? "" }.joined(separator: ";")) \(name)" }
}
