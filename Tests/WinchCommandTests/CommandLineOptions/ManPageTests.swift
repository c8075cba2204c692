import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel
@testable import WinchScreen
@testable import winch

@Suite struct `The man page` {
    /// The source of the page, without escaped hyphens and changes of font.
    private let text: String

    init() throws {
        var root = URL(fileURLWithPath: #filePath)
        while root.lastPathComponent != "Tests" { root.deleteLastPathComponent() }
        root.deleteLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "Resources/winch.1"), encoding: .utf8)
        text = page.replacing("\\-", with: "-").replacing(#/\\f[BIRP]/#, with: "")
    }

    /// Whether the page contains the whole word, not only as a part of a longer one.
    private func names(_ word: String) -> Bool {
        text.ranges(of: word).contains { range in
            let next = text[range.upperBound...].first
            let before = text[..<range.lowerBound].last
            return !(next.map { $0.isLetter || $0.isNumber || $0 == "-" } ?? false) && before != "-"
        }
    }

    @Test(arguments: OptionTable.ofWinch.options + OptionTable(of: HistoryCommand.self).options)
    func `lists each option with all its names`(option: OptionTable.Option) {
        for name in [option.name] + option.aliases {
            let word = (name.count == 1 ? "-" : "--") + name
            expect(names(word), "Resources/winch.1 lacks \(word)")
        }
    }

    @Test func `gives each default that is a plain value`() throws {
        let options = text[try require(text.range(of: "\n.SH OPTIONS")).upperBound...]
        for option in OptionTable.ofWinch.options where !option.isFlag && !option.standard.isEmpty {
            guard option.standard.allSatisfy({ $0.isLetter || $0.isNumber }), option.standard != "none" else {
                continue
            }
            let start = try require(options.range(of: "--\(option.name) "), "\(option.name)").lowerBound
            let entry = options[start...]
            let end = entry.range(of: "\n.TP")?.lowerBound ?? entry.endIndex
            expect(entry[..<end].contains(option.standard), "\(option.name): \(option.standard)")
        }
    }

    @Test(arguments: BatchEntryOptionName.names)
    func `names each option of a batch entry`(option: String) throws {
        let start = try require(text.range(of: ".SH BATCH FILE")).upperBound
        let end = try require(text[start...].range(of: ".SH SETTINGS FILE")).lowerBound
        let words = Set(text[start..<end].split { !($0.isLetter || $0 == "-") }.map(String.init))
        expect(words.contains(option), "Resources/winch.1: BATCH FILE lacks \(option)")
    }

    @Test func `names each option that the settings file cannot have`() throws {
        let start = try require(text.range(of: "except those of one run: ")).upperBound
        let names = text[start...].prefix { $0 != "." }.replacing(" and ", with: ", ").split(separator: ", ")
        let ofOneRun = OptionTable.ofWinch.options.filter { $0.traits.contains(.ofOneRun) }.map(\.name)
        expectEqual(
            Set(names.map(String.init)), Set(ofOneRun).subtracting(["version", "help"]),
            "Resources/winch.1: SETTINGS FILE")
    }

    @Test func `describes each key with the name of its action`() {
        for binding in KeyMap.standard.bindings {
            let keys = binding.keys.map { $0.name(isASCII: true) }.joined(separator: " ")
            expect(
                text.contains("\n.B \(keys)\n\(binding.words) (\(binding.intent.name))\n"), "\(binding.intent.name)")
        }
    }

    @Test func `lists each command, each setting that can be typed and each theme`() {
        for command in Main.commandList.compactMap({ $0.configuration.commandName }) {
            expect(names("winch \(command)"))
        }
        for setting in LiveSetting.allCases { expect(names(":\(setting.word)"), "\(setting.word)") }
        for theme in Theme.builtIn { expect(names(theme.name), "\(theme.name)") }
        for (role, _) in Theme.roles { expect(names(role), "\(role)") }
        for word in FilterStateWord.allCases { expect(names(word.rawValue), "\(word)") }
    }

    /// The section EXIT STATUS lists every code that a failure can have.
    @Test(arguments: [
        TransferFailure.timeLimit(seconds: 1), .httpStatus(404), .tooSlow(perSecond: 1, seconds: 30), .proxy(""),
        .diskFull(folder: ""), .inUse("", pid: nil), .nameTaken(""), .folder("", reason: ""), .hostNotFound(""),
        .httpStatus(500), .tooManyRedirects(1), .httpStatus(401), .httpStatus(503),
        .checksum(type: "", expected: "", got: ""), .other(""),
    ])
    func `explains each exit code`(failure: TransferFailure) throws {
        let status = try require(text.range(of: ".SH EXIT STATUS")).upperBound
        expect(text[status...].contains("\n.B \(failure.exitCode)\n"))
    }
}

@Suite struct `The text of --help` {
    @Test(arguments: [WinchCommand.self] + Main.commandList)
    func `fits in 80 columns`(command: any ParsableCommand.Type) {
        let lines = command.helpMessage(columns: 80).split(separator: "\n")
        expectEqual(lines.filter { $0.count > 80 }, [])
    }
}
