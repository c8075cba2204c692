import ArgumentParser
import TestSupport
import Testing
import WinchBatch

@testable import WinchModel
@testable import winch

@Suite struct `An unknown word on the command line` {
    private func message(_ arguments: [String]) -> String {
        do {
            _ = try SettingSources(arguments: ["--no-config"] + arguments, environment: [:])
            return ""
        } catch {
            return WinchCommand.message(for: error)
        }
    }

    @Test(
        arguments: [
            (["--limt", "3"], "there is no option --limt; did you mean --limit-rate?"),
            (["--no-exti"], "there is no option --no-exti; did you mean --no-exit?"),
            (["--max-concurrent-download", "3"], "there is no option --max-concurrent-download; did you mean "),
            (["--colour"], "there is no option --colour"), (["-y"], "there is no option -y"),
            (["--jobs=many"], "--jobs: a number from 1 up, not 'many'"), (["--jobs"], "--jobs needs a value"),
            (["--jobs", "--exit"], "--jobs needs a value"), (["--jobs", "-1"], "--jobs: a number from 1 up, not '-1'"),
            (["--output=plian"], "--output: 'plian' is not one of "),
            (
                ["--output=a.iso"],
                "--output: 'a.iso' is not one of auto, tui, plain, json, quiet; a file's name is given by -o"
            ),
            (
                ["--follow", "put", "f", "http://h/f"],
                "put is a command, which comes before the options: winch put ..."
            ),
            (["--limit-rate=2,5M"], "--limit-rate: '2,5M' has a decimal comma; write 2.5M"),
        ] as [([String], String)])
    func `used as an option, or in place of its value, leads to advice`(arguments: [String], words: String) {
        expect(message(arguments).hasPrefix(words), "\(message(arguments))")
    }

    @Test func `used as an option of a command leads to one of that command's options`() throws {
        do {
            _ = try HistoryCommand.parse(["--limt", "3"])
            Issue.record("taken")
        } catch {
            let explained = CommandLineErrors.explained(error, of: HistoryCommand.self)
            expectEqual(HistoryCommand.message(for: explained), "there is no option --limt; did you mean --limit?")
        }
    }

    @Test func `as the argument of a command is named without the parser's brackets`() {
        func message(_ command: any ParsableCommand.Type, _ word: String) -> String {
            do {
                _ = try command.parseAsRoot([word])
                return ""
            } catch {
                return command.message(for: CommandLineErrors.explained(error, of: command))
            }
        }
        expect(message(LimitCommand.self, "fast").hasPrefix("RATE: 'fast' is not a rate"))
        expectEqual(message(ShellCompletionsCommand.self, "tcl"), "shell: 'tcl' is not one of bash, zsh, fish")
    }

    @Test(
        arguments: [
            ("histroy", "histroy is neither a URL nor a command; did you mean winch history?"),
            ("inf", "inf is neither a URL nor a command; did you mean winch info?"),
            ("info", "info is a command, which comes before the options: winch info ..."),
            ("example.org/a.iso", "example.org/a.iso is not a URL; did you mean https://example.org/a.iso?"),
            ("www.example.org/a", "www.example.org/a is not a URL; did you mean http://www.example.org/a?"),
            ("me:pw@example.org/a", "example.org/a is not a URL; did you mean https://example.org/a?"),
            ("nonsense", "not a URL (no http://, https://, ftp:// or sftp://): nonsense"),
            ("gopher://h/", "cannot fetch gopher://"),
        ])
    func `used as a URL leads to advice`(word: String, words: String) {
        var batches = BatchFiles(folder: ".", settings: TransferSettings())
        batches.add(url: word, name: nil)
        expectEqual(batches.problems.first?.hasPrefix("error: " + words), true, "\(batches.problems)")
        expect(batches.hasErrors)
    }

    @Test func `does not give its checksum to an entry that is added later`() {
        var settings = TransferSettings()
        settings.checksum = Checksum("d41d8cd98f00b204e9800998ecf8427e")
        let later = BatchFiles(folder: ".", settings: settings).parser.parse(Array("http://h/2\n".utf8)).specs
        expectEqual(later.map(\.settings.value.checksum), [nil])
    }

    @Test func `may be the name of a file`() throws {
        let folder = try TemporaryFolder()
        folder.write("urls.txt", Array("http://h/1\n".utf8))
        let path = folder.path + "/urls.txt"
        var batches = BatchFiles(folder: ".", settings: TransferSettings())
        batches.add(url: path, name: nil)
        expectEqual(batches.problems, ["error: \(path) is a file, not a URL; a batch file is given by -i \(path)"])
    }
}
