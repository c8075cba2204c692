import ArgumentParser
import TestSupport
import Testing

@testable import winch

@Suite struct `The command line of winch` {
    private func message(_ arguments: [String]) -> String {
        do {
            _ = try WinchCommand.parse(arguments)
            return ""
        } catch {
            return WinchCommand.message(for: error)
        }
    }

    private static let checksum = "--checksum=d41d8cd98f00b204e9800998ecf8427e"

    @Test(
        arguments: [
            (["http://h/a"], ""), (["http://h/a", "http://h/b"], "--checksum is that of one file"),
            (["-i", "list"], "--checksum is that of one file"),
            (["http://h/a", "-i", "list"], "--checksum is that of one file"),
            (["-T", "a", "http://h/"], "--checksum is about a download"),
            (["--put-files", "a", "http://h/"], "--checksum is about a download"),
        ] as [([String], String)])
    func `takes a checksum of one download only`(arguments: [String], words: String) {
        let message = message(arguments + [Self.checksum])
        expect(words.isEmpty ? message.isEmpty : message.hasPrefix(words), "\(message)")
    }

    @Test(arguments: [
        (["--put-files", "d", "http://h/", "-r", "--follow"], ""),
        (["--put-files", "d", "http://h/", "-r", "--exclude=x"], "--exclude is about a folder that is downloaded"),
        (["http://h/", "--follow"], "--follow is about the folders that winch put -r sends"),
        (["--put-files", "d", "http://h/", "--follow"], "--follow is about the folders"),
        (["--put-files", "d", "http://h/", "-r", "--method", "POST"], "-r sends each file by PUT"),
        (["--put-files", "d", "http://h/", "-r", "--resumable", "tus"], "-r sends each file by PUT"),
        (["--put-files", "d", "http://h/", "-r", "-F", "a=b"], "-r sends each file by PUT"),
    ])
    func `sends folders to addresses of their own only`(arguments: [String], words: String) {
        let message = message(arguments)
        expect(words.isEmpty ? message.isEmpty : message.hasPrefix(words), "\(message)")
    }

    @Test(arguments: [["-T", "a", "http://h/b"], ["--put-files", "a", "http://h/b"], ["-F", "a=b", "http://h/b"]])
    func `takes a name for a download only`(upload: [String]) {
        for name in ["-", "c"] {
            expectEqual(
                message(upload + ["-o", name]), "-o is about a download; the name of an upload is in its URL")
        }
    }

    @Test(arguments: [
        "--method=POST", "--resumable=tus", "--create-dirs", "--content-type=text/plain", "--no-temporary-name",
    ])
    func `takes options of uploads with an upload only`(option: String) {
        let name = option.prefix { $0 != "=" }
        expectEqual(message(["http://h/a", option]), "\(name) is about an upload; name the file with -T")
        for others in [["-T", "a", "http://h/a"], ["--put-files", "a", "http://h/a"], ["-i", "list"], []] {
            expectEqual(message(others + [option]), "", "\(others)")
        }
    }

    @Test(
        arguments: [
            (["-r", "http://h/"], ""), (["-r", "http://h/a", "http://h/b", "-i", "list"], ""),
            (["-r", "http://h/a", "-o", "b", "--depth=1"], ""), (["-i", "list", "--exclude=*"], ""),
            (["-r"], "-r needs the URL of a folder"),
            (["-r", "-i", "list"], "-r is about the URLs of the command line"),
            (["-r", "http://h/", "-o", "-"], "-o - writes one file"),
            (["-r", "http://h/", checksum], "--checksum is that of one file"),
            (["-r", "-T", "a", "http://h/"], "-r sends folders with winch put only"),
            (["http://h/", "--max-files=3"], "--max-files is about a folder"),
        ] as [([String], String)])
    func `takes options of folders with a folder only`(arguments: [String], words: String) {
        let message = message(arguments)
        expect(words.isEmpty ? message.isEmpty : message.hasPrefix(words), "\(message)")
    }

    @Test func `has no option that stands for the name of a command`() throws {
        for flag in ["--attached", "--put-files"] {
            #expect(throws: ValidationError.self) { try SessionOptions.refuseFlags(in: ["http://h/a", flag]) }
        }
        try SessionOptions.refuseFlags(in: ["http://h/a", "--", "--attached"])
    }
}
