import ArgumentParser
import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel
@testable import WinchQueue
@testable import WinchScreen
@testable import winch

/// What is kept by hand beside the declarations in Sources/winch/CommandLineOptions. Each message names the file that lacks the option.
@Suite struct `An option that is declared` {
    private static let table = OptionTable.ofWinch
    /// The sections whose options say what is downloaded and how.
    private static let settings = table.options.filter {
        ["Files", "Folders", "Queue", "Transfers", "Hooks"].contains($0.section)
    }

    @Test func `is in a section of the command`() {
        let titles = Set(Self.table.options.map(\.section)).subtracting([""])
        expectEqual(
            titles.count, WinchCommand.sections.count,
            "Sources/winch/Commands/WinchCommand.swift: sections lists each group once")
        for section in WinchCommand.sections {
            for name in section.traits.values.joined() {
                expect(
                    Self.table.options.contains { $0.name == name },
                    "Sources/winch/CommandLineOptions/\(section).swift: traits names \(name), which is no option")
            }
        }
    }

    /// Values of the kinds of options; the first that an option takes is used.
    private static let samples = [
        "3", "5K", "simple", "fail", "A: b", "md5=d41d8cd98f00b204e9800998ecf8427e",
        "SHA256:0000000000000000000000000000000000000000000", "/dev/null", "require", "text", "none",
    ]

    /// Options that are no settings of a queue or a transfer.
    private static let withoutSetting: Set = [
        "input-file", "dir", "out", "sums", "split", "shard", "on-settled", "max-command-time",
        "recursive", "depth", "include", "exclude", "max-files", "follow",
    ]

    @Test(arguments: settings.filter { !withoutSetting.contains($0.name) })
    func `changes the settings of transfers or queue`(option: OptionTable.Option) throws {
        func settings(_ arguments: [String]) throws -> (TransferSettings, QueueSettings) {
            let command = try WinchCommand.parse(["http://h/"] + arguments)
            return (command.transferSettings, command.queueSettings(isWatched: false, seed: 1))
        }
        let given = option.isFlag ? ["--\(option.name)"] : Self.samples.map { "--\(option.name)=\($0)" }
        let changed = try require(
            given.lazy.compactMap { try? settings([$0]) }.first,
            "OptionTableTests.swift: samples has no value for --\(option.name)")
        try expect(
            changed != settings([]),
            "--\(option.name) changes nothing: see apply(to:) of its section in Sources/winch/CommandLineOptions")
    }

    @Test(arguments: settings)
    func `is taken in a batch, or refused there with the reason`(option: OptionTable.Option) {
        let isOfWholeRun = BatchEntryOptionName.ofWholeRun.contains(option.name)
        expect(
            (BatchEntryOptionName(name: option.name) != nil) != isOfWholeRun,
            "Sources/WinchBatch/BatchEntryOptions.swift: \(option.name) is either a case or in ofWholeRun")
        for alias in option.aliases where alias.count > 1 && !isOfWholeRun {
            expect(
                BatchEntryOptionName(name: alias) == BatchEntryOptionName(name: option.name)
                    || UnusedAria2Option.reason(alias) != nil,
                "Sources/WinchBatch/BatchEntryOptions.swift: aliases lacks \(alias) for \(option.name)")
        }
    }

    @Test(arguments: BatchEntryOptionName.ofWholeRun.sorted())
    func `is in the batch's list of those for the whole run only as long as it exists`(name: String) {
        expect(
            Self.settings.contains { $0.name == name },
            "Sources/WinchBatch/BatchEntryOptions.swift: ofWholeRun has \(name)")
    }

    @Test(arguments: LiveSetting.allCases)
    func `may be changed in the dashboard, to values that the command line takes`(setting: LiveSetting) throws {
        let name = setting.rawValue
        let option = try require(
            Self.table.options.first { $0.name == name },
            "Sources/WinchScreen/Settings/LiveSetting.swift: \(name) is no option")
        for choice in setting.choices(themes: Theme.builtIn) where !option.isFlag {
            expect(
                (try? WinchCommand.parse(["--\(name)=\(choice)"])) != nil,
                "Sources/WinchScreen/Settings/LiveSetting.swift: choices of \(name) has \(choice)")
        }
    }

    @Test func `of the display can be changed there, unless the front end is chosen with it`() {
        let fixed: Set = ["output", "screen-reader", "notify"]
        for option in Self.table.options where option.section == "Display" && !fixed.contains(option.name) {
            expect(
                LiveSetting(rawValue: option.name) != nil,
                "Sources/WinchScreen/Settings/LiveSetting.swift has no case for --\(option.name)")
        }
    }

    @Test(arguments: table.options.filter { $0.traits.contains(.secret) })
    func `as a secret is covered in the list of processes`(option: OptionTable.Option) {
        let translated = ForeignOptions.aliases.filter { $0.value == option.name }.keys
        for name in [option.name] + option.aliases + translated {
            expect(
                ArgumentSecrets.all(in: ["--\(name)", "name:secret@host"]) != [],
                "Sources/winch/Run/ArgumentSecrets.swift: holders lacks --\(name)")
        }
    }

    @Test func `is the target of other programs' names, and has none of them itself`() {
        let file = "Sources/winch/OtherTools/ForeignOptions.swift"
        for (name, own) in ForeignOptions.aliases {
            expect(Self.table.options.contains { $0.name == own }, "\(file): aliases has \(name): \(own) is no option")
        }
        let names = Set(Self.table.names)
        let others = Set(ForeignOptions.aliases.keys).union(ForeignOptions.answers.keys).union(
            ForeignOptions.reasons.keys)
        expectEqual(
            others.union(ForeignOptions.aria2s).intersection(names), [], "\(file) has names of Winch's own options")
    }
}
