import WinchBatch
import WinchModel

/// Invariants of the batch parser.
enum BatchPromises {
    private static let parser = BatchParser(folder: "downloads", settings: TransferSettings())

    static func fault(_ bytes: [UInt8]) -> String? {
        let batch = parser.parse(bytes)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
        if batch.specs.count > lines { return "\(batch.specs.count) entries from \(lines) lines" }
        for problem in batch.problems where !(1...lines).contains(problem.line) {
            return "a problem in line \(problem.line) of \(lines)"
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
        if settings.stallTimeout <= .zero || settings.retryWait < .zero || settings.maxTries < 0 {
            return "a setting below its least"
        }
        if let rate = settings.rateLimit, !(rate > .zero) { return "a limit of nothing" }
        return nil
    }

    /// Prevents a leading `~` from being resolved to a home folder.
    private static func literal(_ folder: String) -> String { folder.hasPrefix("~") ? "./" + folder : folder }

    /// Entries that are written as a batch and parsed again must be equal.
    private static func printed(_ specs: [TransferSpec]) -> String? {
        var text = ""
        for spec in specs {
            text += spec.urls.map(\.text).joined(separator: "\t") + "\n dir=\(literal(spec.folder))\n"
            if let name = spec.name { text += " out=\(name.text)\n" }
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
