import Foundation
import TestSupport
import Testing

/// `winch completions SHELL` in the shells themselves, and `winch help`.
@Suite(.serialized) struct `Completions` {
    @Test func `in bash complete a word that has only one completion`() async throws {
        let path = "\(Product.folder.path):/usr/bin:/bin"
        let terminal = try await Tmux(try TestFolder(), environment: ["PATH": path])
        try terminal.folder.write("", to: "more-urls.txt")
        try await terminal.run("exec bash --norc --noprofile -i")
        try await terminal.run("PS1='> '; winch completions bash >c.bash && . ./c.bash && echo ready-$((40+2))")
        try await terminal.wait(for: "ready-42")
        for (typed, whole) in [
            ("winch --lowest-speed-l", "winch --lowest-speed-limit"),
            ("winch --theme hi", "winch --theme high-contrast"), ("winch hist", "winch history"),
            ("winch -i more-", "winch -i more-urls.txt"), ("winch serve --unti", "winch serve --until-done"),
            ("winch serve --theme hi", "winch serve --theme high-contrast"),
            ("winch history --sin", "winch history --since"), ("winch completions fi", "winch completions fish"),
            ("winch http://h/f --lowest-speed-l", "winch http://h/f --lowest-speed-limit"),
            ("winch put f --create", "winch put f --create-dirs"),
        ] {
            try await terminal.type(typed)
            try await terminal.press("Tab")
            try await terminal.wait(for: whole)
            try await terminal.press("C-u")
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `are a script that the shell accepts`(shell: String) async throws {
        let folder = try TestFolder()
        let run = try await Program.run("completions", shell, in: folder)
        expectEqual(run.code, 0)
        expect(run.output.contains("winch"))
        expect(run.output.contains("high-contrast"))
        try folder.write(run.output, to: "script")
        guard
            let program = ["/usr/bin", "/bin"].map({ "\($0)/\(shell)" }).first(
                where: FileManager.default.isExecutableFile)
        else { try Test.cancel("\(shell) is not installed") }
        try await InstalledTool.run(program, ["-n", folder.path("script")])
    }
}

@Suite struct `winch help` {
    @Test(arguments: [[], ["history"]]) func `shows the same text as --help`(command: [String]) async throws {
        let folder = try TestFolder()
        let words = try await Program(["help"] + command, in: folder).wait()
        expectEqual(words.code, 0)
        expect(words.output.contains("winch history"))
        expectEqual(words.output, (try await Program(command + ["--help"], in: folder).wait().output))
    }

    @Test(arguments: ["0", "10", "-5"]) func `fits in no fewer than 40 columns`(columns: String) async throws {
        let help = try await Program(["--help"], in: try TestFolder(), environment: ["COLUMNS": columns]).wait()
        expectEqual(help.code, 0)
        expectEqual(help.lines.contains { (30...40).contains($0.count) }, true)
    }

    @Test func `rejects an unknown topic and lists the valid ones`() async throws {
        let words = try await Program.run("help", "nonsense", in: try TestFolder())
        expectEqual(words.code, 64)
        expect(words.errors.contains("no help topic 'nonsense'; topics: put, serve, attach, add, status,"))
    }
}
