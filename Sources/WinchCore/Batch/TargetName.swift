/// A file name that is safe to make: one component, no control characters, at most 255 bytes, never hidden behind a
/// leading dash or dots. Whatever a server or a URL says goes through here.
public struct TargetName: Hashable, Sendable {
    public let text: String

    public static let fallback = "index.html"

    /// ext4, xfs, btrfs, APFS: 255 bytes a name.
    static let longest = 255
    /// Room for `.part` and a number such as `.12345`, so that these names fit as well.
    static let longestBase = longest - 11

    /// Makes any text a safe name; `nil` when nothing is left of it.
    public init?(sanitizing text: some StringProtocol) {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "/" || scalar == "\\" {
                scalars.removeAll()
            } else if !Self.isForbidden(scalar) {
                scalars.append(scalar)
            }
        }
        var name = String(scalars)
        Self.trimEnd(&name)
        while let first = name.unicodeScalars.first, first == " " { name.unicodeScalars.removeFirst() }
        guard !name.isEmpty else { return nil }
        if let first = name.unicodeScalars.first, first == "-" || first == "." || first == "~" {
            name.unicodeScalars.removeFirst()
            name = "_" + name
        }
        name = Self.shortened(name)
        // What was in the middle may be the end now.
        Self.trimEnd(&name)
        self.text = name
    }

    /// The last part of the URL's path, percent-decoded, else `index.html`.
    public init(url: TransferURL) {
        self =
            TargetName(sanitizing: PercentCoding.decoded(url.lastPathComponent)) ?? TargetName(checked: Self.fallback)
    }

    private init(checked text: String) {
        self.text = text
    }

    /// `name.1.ext` for `name.ext`; `archive.1.tar.gz` for `archive.tar.gz`; the name itself for 0.
    public static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 0 else { return name }
        let (stem, ext) = splitExtension(name)
        return "\(stem).\(number)\(ext)"
    }

    /// Windows loses blanks and dots there, and people do not see them.
    private static func trimEnd(_ name: inout String) {
        while let last = name.unicodeScalars.last, last == " " || last == "." { name.unicodeScalars.removeLast() }
    }

    /// At most 244 bytes, cut before the extension and never inside a character.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > longestBase else { return name }
        var (stem, ext) = splitExtension(name)
        // An extension longer than this is not one.
        if ext.utf8.count > 32 { (stem, ext) = (name, "") }
        let room = longestBase - ext.utf8.count
        var end = stem.utf8.index(stem.startIndex, offsetBy: min(room, stem.utf8.count))
        while end.samePosition(in: stem.unicodeScalars) == nil { end = stem.utf8.index(before: end) }
        // Whole characters if at least one fits: a pile of accents on one letter may be longer than any name.
        var whole = stem.startIndex
        while case let next = stem.index(after: whole), next <= end { whole = next }
        if whole > stem.startIndex { end = whole }
        return stem[..<end] + ext
    }

    /// The extension keeps its dot; `.tar.gz` and its like count as one.
    static func splitExtension(_ name: String) -> (stem: String, ext: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        let stem = name[..<dot]
        if let inner = stem.lastIndex(of: "."), inner != stem.startIndex, stem[inner...].lowercased() == ".tar" {
            return (String(name[..<inner]), String(name[inner...]))
        }
        return (String(stem), String(name[dot...]))
    }

    /// Control characters, and format characters that turn text around or hide it (bidi overrides, zero-width).
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        case .format: scalar != "\u{200D}"  // the joiner inside emoji and Indic scripts
        default: scalar == "\u{FFFD}"
        }
    }
}

/// A relative path below the target folder, as `out=` may give it: no `..`, not absolute, each part a possible name.
public struct TargetPath: Hashable, Sendable {
    public let text: String

    /// Why a path is not taken.
    public enum Fault: Error, Hashable, Sendable {
        case empty, absolute, leavesFolder, controlCharacter, tooLong

        public var message: String {
            switch self {
            case .empty: "names no file"
            case .absolute: "is absolute; give a path below the target folder"
            case .leavesFolder: "leaves the target folder ('..')"
            case .controlCharacter: "has a control character in it"
            case .tooLong: "has a part longer than \(TargetName.longestBase) bytes"
            }
        }
    }

    public init(_ text: some StringProtocol) throws(Fault) {
        guard text.utf8.first != UInt8(ascii: "/") else { throw .absolute }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) else {
            throw .controlCharacter
        }
        // Split at the byte: for the file system a slash with a combining accent is a slash.
        let raw = String(text).utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let parts = raw.map(Substring.init).filter { !$0.isEmpty && $0 != "." }
        guard let last = parts.last, let end = raw.last, Substring(end) == last else { throw .empty }
        guard !parts.contains("..") else { throw .leavesFolder }
        guard last.utf8.count <= TargetName.longestBase, parts.allSatisfy({ $0.utf8.count <= TargetName.longest })
        else { throw .tooLong }
        self.text = parts.joined(separator: "/")
    }

    /// The folders before the name; empty for a plain name.
    public var folders: [Substring] { parts.dropLast() }

    /// The last part.
    public var name: String { parts.last.map(String.init) ?? text }

    private var parts: [Substring] { text.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init) }
}

/// From elsewhere it is checked as from here.
extension TargetPath: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
