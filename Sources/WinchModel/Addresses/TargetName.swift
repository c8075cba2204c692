/// A file name that is safe to create: one path component, no control characters, no leading `-`, `.` or `~`, at most 244
/// bytes, so that 255 are not exceeded with `.part` and a number. Every name that comes from a server or a URL is converted
/// to one.
package struct TargetName: Hashable, Sendable {
    package let text: String

    /// The name when neither the server nor the URL gives one.
    package static let fallback = "index.html"

    /// The longest name on ext4, xfs, btrfs and APFS, in bytes.
    package static let longest = 255
    /// Leaves 11 bytes for `.part` and a number such as `.12345`.
    static let longestBase = longest - 11

    /// Makes a safe name from any text; `nil` when no character is left. Of a path only the part after the last `/` or `\` is
    /// used.
    package init?(sanitizing text: some StringProtocol) {
        if Self.isPlain(text) {
            self.text = String(text)
            return
        }
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
        // Shortening may have left a blank or a dot at the end.
        Self.trimEnd(&name)
        self.text = name
    }

    /// It is safe as it is, as most names are: letters and digits, and `-`, `_`, `~` and dots between them.
    private static func isPlain(_ text: some StringProtocol) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            guard let first = bytes.first, let last = bytes.last, first.isAlphanumeric, last.isAlphanumeric else {
                return false
            }
            return bytes.count <= longestBase && bytes.allSatisfy(\.isUnreserved)
        } ?? false
    }

    /// The last part of the URL's path, percent-decoded unless that is no UTF-8; `index.html` when it is empty. The type in
    /// an FTP URL is no part of the name.
    package init(url: TransferURL) {
        let part = url.withoutType.lastPathComponent
        self = TargetName(sanitizing: PercentCoding.decodedIfText(part)) ?? TargetName(checked: Self.fallback)
    }

    /// The last part of the path of a folder's URL, which has no query; else the host.
    package init(folder url: TransferURL) {
        let part = url.pathText.utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) } ?? ""
        self =
            TargetName(sanitizing: PercentCoding.decodedIfText(part))
            ?? TargetName(sanitizing: url.hostWithoutBrackets) ?? TargetName(checked: Self.fallback)
    }

    private init(checked text: String) { self.text = text }

    /// `name.1.ext` for `name.ext`; `archive.1.tar.gz` for `archive.tar.gz`; the name itself for 0.
    package static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 0 else { return name }
        let (stem, ext) = splitExtension(name)
        return "\(stem).\(number)\(ext)"
    }

    /// A name that a file system takes.
    ///
    /// - Parameters:
    ///   - longest: bytes in a name with `.part` and a number.
    ///   - refusesReserved: whether it refuses `" * : < > ? |` and the backslash; asked only for a name that has one.
    package static func fitting(_ name: String, longest: Int, refusesReserved: () -> Bool) -> String {
        let name = longest < Self.longest ? shortened(name, to: longest - (Self.longest - longestBase)) : name
        guard name.utf8.contains(where: isReserved), refusesReserved() else { return name }
        return String(decoding: name.utf8.map { isReserved($0) ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
    }

    /// - Source: the exFAT specification, section 7.7.3, "Invalid FileName Characters".
    private static func isReserved(_ byte: UInt8) -> Bool { "\"*:<>?\\|".utf8.contains(byte) }

    /// Removes blanks and dots at the end: Windows drops them, and the user does not see them.
    private static func trimEnd(_ name: inout String) {
        while let last = name.unicodeScalars.last, last == " " || last == "." { name.unicodeScalars.removeLast() }
    }

    /// At most 244 bytes, or `longest`, cut before the extension and never inside a character.
    static func shortened(_ name: String, to longest: Int = longestBase) -> String {
        guard name.utf8.count > longest else { return name }
        var (stem, ext) = splitExtension(name)
        // After the last dot of a long name there may be text that is no extension; extensions have at most 32 bytes.
        if ext.utf8.count > 32 { (stem, ext) = (name, "") }
        let room = max(1, longest - ext.utf8.count)
        var end = stem.utf8.index(stem.startIndex, offsetBy: min(room, stem.utf8.count))
        while end.samePosition(in: stem.unicodeScalars) == nil { end = stem.utf8.index(before: end) }
        // Cut between characters if at least one fits, else between scalars: one letter with very many combining accents may
        // be longer than a whole name.
        var whole = stem.startIndex
        while case let next = stem.index(after: whole), next <= end { whole = next }
        if whole > stem.startIndex { end = whole }
        return stem[..<end] + ext
    }

    /// Splits before the extension, which keeps its dot; `.tar.gz` and the like are one extension.
    static func splitExtension(_ name: String) -> (stem: String, ext: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        let stem = name[..<dot]
        if let inner = stem.lastIndex(of: "."), inner != stem.startIndex, stem[inner...].lowercased() == ".tar" {
            return (String(name[..<inner]), String(name[inner...]))
        }
        return (String(stem), String(name[dot...]))
    }

    /// Control characters, and format characters that change the direction of text or are invisible (bidirectional overrides,
    /// zero-width characters).
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        case .format: scalar != "\u{200D}"  // the joiner inside emoji and Indic scripts
        default: scalar == "\u{FFFD}" || SystemText.byte(scalar) != nil
        }
    }
}

/// A relative path below the target folder, as given by `out=` or `-o`: not absolute, no `..`, no control characters, each
/// part short enough for a file name.
public struct TargetPath: Hashable, Sendable {
    /// The path with single slashes, without `.` parts.
    public let text: String

    public enum Fault: Error, Hashable, Sendable {
        /// It names no file: it is empty, or ends in a slash or `.`.
        case empty
        /// It begins with a slash.
        case absolute
        /// It has a part `..`.
        case leavesFolder
        /// It contains a C0 or C1 control character or DEL.
        case controlCharacter
        /// One of its parts is too long for a file name.
        case tooLong

        /// Completes a sentence about the path: `is absolute; ...`.
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

    /// Empty parts and `.` are removed.
    ///
    /// - Parameter text: relative to the target folder, such as `images/disk.iso`.
    /// - Throws: why the path is refused.
    public init(_ text: some StringProtocol) throws(Fault) {
        guard text.utf8.first != UInt8(ascii: "/") else { throw .absolute }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) else {
            throw .controlCharacter
        }
        // Split into bytes, not characters: for the file system a slash with a combining accent is still a slash.
        let raw = String(text).utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let parts = raw.map(Substring.init).filter { !$0.isEmpty && $0 != "." }
        guard let last = parts.last, let end = raw.last, Substring(end) == last else { throw .empty }
        guard !parts.contains("..") else { throw .leavesFolder }
        guard last.utf8.count <= TargetName.longestBase, parts.allSatisfy({ $0.utf8.count <= TargetName.longest })
        else { throw .tooLong }
        self.text = parts.joined(separator: "/")
    }

    /// The folders before the name; empty for a plain name.
    package var folders: [Substring] { parts.dropLast() }

    package var name: String { parts.last.map(String.init) ?? text }

    private var parts: [Substring] { text.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init) }
}

/// Decoding checks the path as `init` does.
extension TargetPath: Codable {
    /// - Throws: ``Fault`` as `init(_:)`.
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
