import Foundation

@testable import WinchTerminal

/// The control sequences in a terminal's terminfo entry, by their form: those that a program may send to it.
struct TerminalVocabulary {
    /// `CSI ? h`, `CSI m`, `ESC 7`; all selections of a charset have the form `charset`.
    private var forms: Set<String> = []
    /// Numbers of the private modes that are in it.
    private var modes: Set<Int> = []
    private let colors: Int
    let hasMouse: Bool

    init(term: String) throws {
        let entry = try TerminfoEntry(term: term)
        colors = entry.number("colors") ?? 0
        hasMouse = entry.string("kmous") != nil
        let hasTitle = TerminalFeatures(traits: TerminalEnvironment(term: term)).hasTitle
        // Capabilities of keys name what the terminal sends, not what it understands.
        for capability in entry.strings where !capability.name.hasPrefix("k") {
            for sequence in Self.sequences(in: Self.literal(capability.value ?? [])) {
                forms.insert(sequence.form)
                if sequence.form.hasPrefix("CSI ?") { modes.formUnion(sequence.numbers) }
            }
        }
        // A terminal with a mouse ignores private modes that it does not have, so the program may set these.
        if hasMouse { modes.formUnion([1000, 1004, 1006, 2004, 2026]) }
        if hasMouse { forms.formUnion(["CSI ? h", "CSI ? l"]) }
        if hasTitle { forms.formUnion(["OSC 0", "CSI t"]) }
    }

    mutating func allow(_ form: String) { forms.insert(form) }

    /// The sequences in the output that the terminal does not know.
    func strange(in bytes: [UInt8]) -> Set<String> {
        var strange: Set<String> = []
        for sequence in Self.sequences(in: bytes) {
            if !forms.contains(sequence.form) { strange.insert(sequence.form) }
            if ["CSI ? h", "CSI ? l"].contains(sequence.form) {
                strange.formUnion(Set(sequence.numbers).subtracting(modes).map { "mode \($0)" })
            }
            if sequence.form == "CSI m" { strange.formUnion(tooColorful(sequence.numbers)) }
        }
        return strange
    }

    private func tooColorful(_ numbers: [Int]) -> [String] {
        var rest = numbers[...]
        var found: [String] = []
        while let number = rest.popFirst() {
            let needed: Int
            switch number {
            case 38, 48:
                let isIndexed = rest.popFirst() == 5
                needed = isIndexed ? (rest.popFirst() ?? 0) + 1 : 1 << 24
            case 30...37, 40...47: needed = 8
            case 90...97, 100...107: needed = 16
            default: needed = 0
            }
            if needed > colors { found.append("a colour of \(needed)") }
        }
        return found
    }

    /// Modes that these bytes have left in another state than the usual one.
    static func unrestored(in bytes: [UInt8]) -> Set<String> {
        // Usually on: wrapping and the cursor. Not checked, since kitty and xterm usually have them on: a blinking cursor, and a
        // key that marks Meta.
        let (usual, free): (Set<Int>, Set<Int>) = ([7, 25], [12, 1034])
        var modes = usual
        for sequence in sequences(in: bytes) {
            if sequence.form == "CSI ? h" { modes.formUnion(sequence.numbers) }
            if sequence.form == "CSI ? l" { modes.subtract(sequence.numbers) }
        }
        return Set(modes.symmetricDifference(usual).subtracting(free).map { "mode \($0)" })
    }
}

extension TerminalVocabulary {
    private struct Sequence {
        var form: String
        var numbers: [Int] = []
    }

    private static func sequences(in bytes: [UInt8]) -> [Sequence] {
        var found: [Sequence] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == 0x1B else {
                // Movements and BEL are always allowed; SI and SO only where the terminfo entry has them.
                if byte < 0x20, ![0x00, 0x07, 0x08, 0x09, 0x0A, 0x0D, 0x18].contains(byte) {
                    found.append(Sequence(form: "control \(byte)"))
                }
                continue
            }
            let kind = rest.popFirst().map { Character(Unicode.Scalar($0)) }
            switch kind {
            case "[":
                let body = rest.prefix { !(0x40...0x7E).contains($0) && $0 >= 0x20 }
                rest = rest.dropFirst(body.count)
                // A control character interrupts the sequence, as CAN does on purpose.
                guard let next = rest.first, next >= 0x20 else { continue }
                let final = rest.popFirst().map { Character(Unicode.Scalar($0)) } ?? " "
                let mark = body.first.flatMap { (0x3C...0x3F).contains($0) ? Character(Unicode.Scalar($0)) : nil }
                let numbers = String(decoding: mark == nil ? body : body.dropFirst(), as: UTF8.self)
                    .split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
                found.append(Sequence(form: "CSI \(mark.map { "\($0) " } ?? "")\(final)", numbers: numbers))
            case "]":
                let words = rest.prefix { $0 != 0x07 && $0 != 0x1B }
                rest = rest.dropFirst(words.count + (rest.dropFirst(words.count).first == 0x1B ? 2 : 1))
                let number = String(decoding: words.prefix { (0x30...0x39).contains($0) }, as: UTF8.self)
                found.append(Sequence(form: "OSC \(number)"))
            case "(", ")", "*", "+":
                rest = rest.dropFirst()
                found.append(Sequence(form: "charset"))
            case let kind?: found.append(Sequence(form: "ESC \(kind)"))
            case nil: found.append(Sequence(form: "ESC"))
            }
        }
        return found
    }

    /// A capability without what computes its parameters: `%i%p1%d;%p2%dH` leaves `;H`.
    ///
    /// - Source: terminfo(5), "Parameterized Strings".
    private static func literal(_ capability: [UInt8]) -> [UInt8] {
        var literal: [UInt8] = []
        var rest = capability[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let operation = rest.popFirst() else {
                literal.append(byte)
                continue
            }
            switch Character(Unicode.Scalar(operation)) {
            case "p", "P", "g": rest = rest.dropFirst()
            case "'": rest = rest.dropFirst(2)
            case "{": rest = rest.drop { $0 != UInt8(ascii: "}") }.dropFirst()
            case "%": literal.append(operation)
            // A number is formatted here, possibly with a width.
            case "0"..."9", ":", ".", "#": rest = rest.drop { !Character(Unicode.Scalar($0)).isLetter }.dropFirst()
            default: break
            }
        }
        return literal
    }
}
