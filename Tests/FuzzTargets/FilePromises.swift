import WinchBatch
import WinchHTTP
import WinchModel
import WinchSSH

/// Invariants of the batch parser.
enum BatchPromises {
    private static let parser = BatchParser(folder: "downloads", settings: TransferSettings())

    static func fault(_ bytes: [UInt8]) -> String? {
        let batch = parser.parse(bytes)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
        if batch.specs.count > lines { return "\(batch.specs.count) entries from \(lines) lines" }
        if let wrong = batch.problems.map(\.line).first(where: { !(1...lines).contains($0) }) {
            return "line \(wrong) of \(lines)"
        }
        for spec in batch.specs {
            if spec.urls.isEmpty { return "an entry without URLs" }
            if let fault = fault(of: spec) { return fault }
        }
        return printed(batch.specs)
    }

    private static func fault(of spec: TransferSpec) -> String? {
        if let name = spec.name, let fault = NamePromises.fault(path: Array(name.text.utf8)) { return fault }
        let settings = spec.settings.value
        let texts =
            settings.headers
            + [settings.referer, settings.userAgent, settings.user, settings.password, settings.proxy]
            .compactMap { $0 } + [spec.folder]
        for text in texts where text.utf8.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F }) {
            return "a control character in an option"
        }
        let isInBounds =
            settings.stallTimeout > .zero && settings.retryWait >= .zero && settings.maxTries >= 0
            && settings.rateLimit.map { $0 > .zero } ?? true
        return isInBounds ? nil : "a setting below its least"
    }

    /// Prevents a leading `~` from being resolved to a home folder.
    private static func literal(_ folder: String) -> String { folder.hasPrefix("~") ? "./" + folder : folder }

    /// Entries that are written as a batch and parsed again must be equal.
    private static func printed(_ specs: [TransferSpec]) -> String? {
        var text = ""
        for spec in specs {
            text += spec.urls.map(\.text).joined(separator: "\t") + "\n dir=\(literal(spec.folder))\n"
            // A blank at the start of the name would be one before it.
            if let name = spec.name { text += " out=./\(name.text)\n" }
            if spec.startsPaused { text += " pause=true\n" }
            for header in spec.settings.value.headers { text += " header=\(header)\n" }
            if let checksum = spec.settings.value.checksum {
                text += " checksum=\(checksum.algorithm.rawValue)=\(checksum.hex)\n"
            }
        }
        let again = parser.parse(text.systemBytes)
        if let problem = again.problems.first {
            return "written out, line \(problem.line): \(problem.message)\n\(text)"
        }
        guard again.specs.count == specs.count else { return "\(specs.count) entries become \(again.specs.count)" }
        for (old, new) in zip(specs, again.specs) {
            let isSame =
                old.urls == new.urls && literal(old.folder) == new.folder && old.name == new.name
                && old.startsPaused == new.startsPaused
                && old.settings.value.headers == new.settings.value.headers
                && old.settings.value.checksum == new.settings.value.checksum
            if !isSame { return "an entry is another one when read again:\n\(text)" }
        }
        return nil
    }
}

/// Invariants of the parser of settings files and themes.
enum SettingPromises {
    static func fault(_ bytes: [UInt8]) -> String? {
        let file = NameValueLines(parsing: bytes)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
        let numbers = file.lines.map(\.number) + file.problems.map(\.line)
        if let wrong = numbers.first(where: { !(1...lines).contains($0) }) { return "line \(wrong) of \(lines)" }
        if Set(numbers).count != numbers.count { return "a line counts twice" }
        for line in file.lines {
            let setting = line.setting
            if setting.name.isEmpty { return "a setting without a name" }
            if setting.name.utf8.contains(UInt8(ascii: "=")) { return "a name with = in it" }
            guard let again = NameValueLine("\(setting.name)=\(setting.value)") else {
                return "its own text is no setting"
            }
            if again != setting { return "\(setting) is \(again) when read again" }
        }
        return nil
    }
}

/// Invariants of the Metalink reader.
enum MetalinkPromises {
    static func fault(_ bytes: [UInt8]) -> String? {
        let metalink = Metalink(bytes)
        // Expat counts CR, LF and CRLF as one end of a line each.
        let lines = bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
        let numbers = metalink.problems.map(\.line) + metalink.files.map(\.line)
        if let wrong = numbers.first(where: { !(1...lines).contains($0) }) { return "line \(wrong) of \(lines)" }
        var names: Set<String> = []
        for file in metalink.files {
            if let fault = fault(of: file) { return "\(file.path.text): \(fault)" }
            if !names.insert(file.path.text).inserted { return "two files are \(file.path.text)" }
        }
        return printed(metalink.files)
    }

    private static func fault(of file: MetalinkFile) -> String? {
        if let fault = NamePromises.fault(path: Array(file.path.text.utf8)) { return fault }
        for part in file.path.text.utf8.split(separator: UInt8(ascii: "/")) {
            guard let name = TargetName(sanitizing: Substring(part)), name.text == Substring(part) else {
                return "the part '\(Substring(part))' is not safe"
            }
        }
        if file.urls.isEmpty || file.urls.count > 64 { return "\(file.urls.count) URLs" }
        if Set(file.urls).count < file.urls.count { return "a URL twice" }
        if let size = file.size, size < .zero { return "a size below zero" }
        if let pieces = file.pieces, let size = file.size, !pieces.cover(size) { return "pieces of another size" }
        return nil
    }

    /// Files that are written as a Metalink and read again must be equal.
    private static func printed(_ files: [MetalinkFile]) -> String? {
        guard !files.isEmpty else { return nil }
        let text =
            "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">" + files.map(text).joined() + "</metalink>"
        let again = Metalink(Array(text.utf8))
        if let problem = again.problems.first {
            return "written out, line \(problem.line): \(problem.message)\n\(text)"
        }
        for (old, new) in zip(files, again.files) {
            var old = old
            old.line = new.line
            if old != new { return "a file is another one when read again:\n\(text)" }
        }
        return files.count == again.files.count ? nil : "\(files.count) files become \(again.files.count)"
    }

    private static func text(_ file: MetalinkFile) -> String {
        var text = "<file name=\"\(escaped(file.path.text))\">"
        if let size = file.size { text += "<size>\(size.bytes)</size>" }
        if let sum = file.checksum { text += "<hash type=\"\(sum.algorithm.rawValue)\">\(sum.hex)</hash>" }
        if let pieces = file.pieces {
            text += "<pieces type=\"\(pieces.algorithm.rawValue)\" length=\"\(pieces.length.bytes)\">"
            for index in 0..<pieces.count {
                let hex = pieces.digest(at: index).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                text += "<hash>\(hex)</hash>"
            }
            text += "</pieces>"
        }
        for url in file.urls { text += "<url>\(escaped(url.text))</url>" }
        return text + "</file>"
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { "&<>\"".unicodeScalars.contains($0) ? "&#\($0.value);" : String($0) }.joined()
    }
}

/// Invariants of the parsers of known_hosts, ssh_config and private keys.
enum SSHPromises {
    static func fault(_ bytes: [UInt8]) -> String? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
        let hosts = KnownHosts(parsing: bytes)
        let verdict = hosts.verdict(on: [1, 2, 3], type: "ssh-ed25519", of: "host") { $0 + Array($1.utf8) }
        switch verdict {
        case .revoked(let line), .changed(let line):
            if !(1...lines).contains(line) { return "line \(line) of \(lines)" }
        case .trusted:
            if bytes.firstRange(of: "AQID".utf8) == nil { return "a key is trusted that does not stand there" }
        case .unknown: break
        }
        let config = SSHConfig(parsing: bytes, name: "config") { _ in [("again", Array(bytes.prefix(200)))] }
        let settings = config.settings(for: "host")
        if let port = settings.port, !(1...65535).contains(port) { return "port \(port)" }
        _ = SSHKeyFile(parsing: bytes)
        return nil
    }
}

/// Invariants of the parsers of option values: sizes, rates, seconds, checksums, header lines, dates.
enum ValuePromises {
    static func fault(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        if let count = ByteCount(parsing: text) {
            if count.bytes < 0 { return "a size of \(count.bytes)" }
            if ByteCount(parsing: "\(count.bytes)").map({ abs($0.bytes - count.bytes) > count.bytes >> 50 }) ?? true {
                return "\(count.bytes) bytes are another size when read again"
            }
        }
        if let span = Duration(parsingSeconds: text), span < .zero || span > .seconds(3_200_000_000) {
            return "a span of \(span)"
        }
        if let wait = RetryAfter.wait(text, now: 1_000_000_000), let fault = HeadPromises.fault(of: wait) {
            return fault
        }
        if let date = ListingDates.http(text), !(-70_000_000_000...300_000_000_000).contains(date) {
            return "a date of \(date)"
        }
        if let line = try? HeaderLine(text), line.text.utf8.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F }) {
            return "a header line with a control character"
        }
        return Checksum(text).flatMap(DigestPromises.fault(of:))
    }
}
