package import WinchModel

/// Parses a batch file: the grammar of aria2's input file.
///
/// An entry starts on a line without a leading blank: one URL, or several URLs separated by TABs, which are mirrors of one
/// file. The lines below it that begin with a blank are its `name=value` options. `#` in column 0 begins a comment; empty
/// lines, CRLF and a byte order mark are accepted.
///
/// - Source: aria2c(1), "Input File".
package struct BatchParser: Sendable {
    private let folder: String
    private let settings: Shared<TransferSettings>
    private let places: Places

    /// - Parameters:
    ///   - folder: the target folder of entries without `dir=`.
    ///   - settings: the settings of an entry whose options do not change them.
    ///   - places: resolves the path of a `dir=` option.
    package init(folder: String, settings: TransferSettings, places: Places = Places()) {
        self.folder = folder
        self.settings = Shared(settings)
        self.places = places
    }

    /// The entries of a batch and its problems. An entry with an error is left out of `specs`.
    package struct Batch: Sendable {
        package var specs: [TransferSpec] = []
        /// The line of the URL of each entry in `specs`, from 1; same order, same count.
        package var lines: [Int32] = []
        /// In the order of their lines. A warning about an option that many entries have is reported once, with their number.
        package var problems: [BatchProblem] = []

        package var hasErrors: Bool { problems.contains { $0.severity == .error } }
    }

    /// Parses the bytes of a whole file. Never fails: what is wrong is in `problems` of the result.
    package func parse(_ bytes: [UInt8]) -> Batch {
        var reading = Reading(parser: self)
        guard !TextEncoding.isUnmarkedUTF16(bytes) else {
            let words = "this is UTF-16 without a byte order mark; save the file as UTF-8"
            reading.batch.problems = [BatchProblem(line: 1, severity: .error, message: words)]
            return reading.batch
        }
        for (number, line) in TextLines(bytes) { reading.take(line, number: number) }
        reading.closeEntry()
        return reading.finished
    }

    /// The state of one pass over a file.
    private struct Reading {
        let parser: BatchParser
        var batch = Batch()
        var entry: Entry?
        /// Warnings about options, by the option's name.
        private var warnings: [String: Warning] = [:]

        init(parser: BatchParser) {
            self.parser = parser
        }

        struct Entry {
            var line: Int
            var urls: [TransferURL]
            var options: EntryOptions
            var isFaulty = false
        }

        private struct Warning {
            /// The index in `batch.problems`.
            var index: Int
            var count = 1
        }

        /// The batch after the last line.
        var finished: Batch {
            var batch = batch
            for warning in warnings.values where warning.count > 1 {
                batch.problems[warning.index].message += " (\(Format.count(warning.count)) entries)"
            }
            return batch
        }

        mutating func take(_ line: ArraySlice<UInt8>, number: Int) {
            guard let first = line.first, first != UInt8(ascii: "#") else { return }
            guard let text = String(validating: line, as: UTF8.self) else {
                if !first.isBlank {
                    closeEntry()
                    entry = opened(number)
                }
                return fail(number, "this line is not UTF-8")
            }
            if first.isBlank {
                takeOption(text[...].trimmingBlanks(), number: number)
            } else {
                closeEntry()
                takeURLs(text, number: number)
            }
        }

        private func opened(_ line: Int) -> Entry {
            Entry(
                line: line, urls: [],
                options: EntryOptions(folder: parser.folder, settings: parser.settings.value, places: parser.places))
        }

        private mutating func takeURLs(_ text: String, number: Int) {
            var opened = opened(number)
            for part in text.utf8.split(separator: UInt8(ascii: "\t")) {
                let address = Substring(part).trimmingBlanks()
                guard !address.isEmpty else { continue }
                do throws(TransferURL.Fault) {
                    opened.urls.append(try TransferURL(typed: address))
                } catch {
                    problem(number, .error, error.message)
                    opened.isFaulty = true
                }
            }
            entry = opened
        }

        private mutating func takeOption(_ text: Substring, number: Int) {
            guard !text.isEmpty else { return }
            guard entry != nil else {
                return problem(number, .error, "an option before the first URL: \(text.prefix(40))")
            }
            guard let setting = Setting(text) else {
                return fail(number, "an option is name=value: \(text.prefix(40))")
            }
            let name = setting.name
            do throws(EntryOptions.Fault) {
                try entry?.options.set(name, to: setting.value[...])
            } catch {
                switch error {
                case .unknown:
                    warn(number, name) {
                        "unknown option: \(name.prefix(40))"
                            + NearestName.question(for: name, among: EntryOption.names)
                    }
                case .unused(let reason): warn(number, name) { "\(name) has no effect: \(reason)" }
                case .bad(let words): fail(number, "\(name.prefix(40))\(words.first == ":" ? "" : " ")\(words)")
                }
            }
        }

        /// Adds a warning about an option, or counts it when the option has been warned about before.
        private mutating func warn(_ line: Int, _ option: String, _ words: () -> String) {
            if (warnings[option]?.count += 1) != nil { return }
            // Bounds the memory for a file that is no batch, in which every line is another unknown option.
            if warnings.count < 1000 { warnings[option] = Warning(index: batch.problems.count) }
            problem(line, .warning, words())
        }

        mutating func closeEntry() {
            guard let entry else { return }
            self.entry = nil
            guard !entry.isFaulty, !entry.urls.isEmpty else { return }
            let options = entry.options
            batch.lines.append(Int32(clamping: entry.line))
            batch.specs.append(
                TransferSpec(
                    urls: entry.urls, folder: options.folder, name: options.name,
                    settings: options.ownsSettings ? Shared(options.settings) : parser.settings,
                    startsPaused: options.startsPaused))
        }

        /// Adds an error and leaves the open entry out of the batch.
        private mutating func fail(_ line: Int, _ message: String) {
            entry?.isFaulty = true
            problem(line, .error, message)
        }

        private mutating func problem(_ line: Int, _ severity: BatchProblem.Severity, _ message: String) {
            batch.problems.append(BatchProblem(line: line, severity: severity, message: message))
        }
    }
}
