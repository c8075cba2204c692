import Glibc
import TestSupport
import Testing
import WinchScreen

@testable import WinchBatch
@testable import WinchModel
@testable import winch

@Suite struct `Saved settings` {
    private let home: TemporaryFolder
    private let dark = [NameValueLine(name: "theme", value: "dark"), NameValueLine(name: "jobs", value: "4")]
    private let ocean = [NameValueLine(name: "theme", value: "ocean"), NameValueLine(name: "jobs", value: "4")]

    init() throws {
        home = try TemporaryFolder()
    }

    private func saver(_ name: String = "winch.conf") -> SettingsSaver {
        SettingsSaver(path: home.path + "/" + name, home: home.path)
    }

    private func text(_ name: String = "winch.conf") throws -> String {
        String(decoding: try home.bytes(name), as: UTF8.self)
    }

    private func words(_ event: ScreenEvent) -> String {
        switch event {
        case .saved(let words, _): words
        case .problems(let problems): problems.joined(separator: "\n")
        default: "\(event)"
        }
    }

    private func mode(_ name: String) -> mode_t {
        var status = stat()
        return lstat(home.path + "/" + name, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test(
        arguments: [
            ("", "theme=ocean\n"), ("# mine\n\njobs=8\n", "# mine\n\njobs=4\ntheme=ocean\n"),
            ("theme=ocean", "theme=ocean"), ("theme = ember  \njobs=4", "theme = ocean  \njobs=4"),
            ("#theme=red\ntheme=red\n", "#theme=red\ntheme=ocean\n"),
            ("theme=a\ntheme=b\n", "theme=a\ntheme=ocean\n"), ("jobs=8\r\n", "jobs=4\r\ntheme=ocean\r\n"),
            ("\u{FEFF}theme=x\r\nodd line\r\n", "\u{FEFF}theme=ocean\r\nodd line\r\n"),
            ("theme=\n", "theme=ocean\n"), ("nothing=1\nkey.pause=p", "nothing=1\nkey.pause=p\ntheme=ocean\n"),
            ("  theme=red\n", "  theme=ocean\n"),
            ("max-concurrent-downloads=9\n", "max-concurrent-downloads=4\ntheme=ocean\n"),
        ])
    func `replace their lines or are appended, and other lines stay unchanged`(before: String, after: String) throws {
        home.write("winch.conf", Array(before.utf8))
        _ = saver().save(ocean)
        try expectEqual(text(), after)
    }

    @Test func `preserve bytes that are not UTF-8`() throws {
        home.write("winch.conf", [0x23, 0xFF, 0xFE, 0x0A, 0xC3, 0x28, 0x3D, 0x31, 0x0A])
        _ = saver().save(ocean)
        let bytes = try home.bytes("winch.conf")
        expectEqual(bytes.prefix(9), [0x23, 0xFF, 0xFE, 0x0A, 0xC3, 0x28, 0x3D, 0x31, 0x0A])
        expectEqual(bytes.dropFirst(9), Array("theme=ocean\n".utf8)[...])
    }

    @Test(
        arguments: [
            ("no-mouse=yes\n", "mouse", "yes", "no-mouse=no\n"), ("mouse=on\n", "mouse", "yes", "mouse=on\n"),
            ("mouse=1\n", "mouse", "no", "mouse=no\n"), ("no-mouse=true\n", "mouse", "no", "no-mouse=true\n"),
            ("limit-rate=2048K\n", "limit-rate", "2M", "limit-rate=2048K\n"),
        ] as [(String, String, String, String)])
    func `keep the form that the file uses, and a value that is equal`(
        before: String, name: String, value: String, after: String
    ) throws {
        home.write("winch.conf", Array(before.utf8))
        _ = saver().save([NameValueLine(name: name, value: value)])
        try expectEqual(text(), after)
    }

    @Test func `equal to the defaults create no file`() {
        expect(words(saver().save(dark)).hasPrefix("Nothing to save: ~/winch.conf"))
        expectEqual(home.names, [])
    }

    @Test func `are reported with the file and the line of each`() throws {
        home.write("winch.conf", Array("# x\njobs=8\n".utf8))
        guard case .saved(let words, let lines) = saver().save(ocean) else {
            Issue.record("not saved")
            return
        }
        expectEqual(words, "Saved in ~/winch.conf: theme=ocean, jobs=4")
        expectEqual(lines.map(\.number), [3, 2])
        let read = try SettingSources(
            arguments: ["--config", home.path + "/winch.conf"], environment: ["HOME": home.path])
        expectEqual(read.command.frontEnd.theme, "ocean")
        expectEqual(read.problems, [])
    }

    @Test func `create missing folders with mode 0700`() throws {
        _ = saver("a/b/winch.conf").save(ocean)
        try expectEqual(text("a/b/winch.conf"), "theme=ocean\n")
        expect(mode("a") == 0o700 && mode("a/b") == 0o700)
        expectEqual(mode("a/b/winch.conf"), 0o600)
        expectEqual(TemporaryFolder.names(in: home.path + "/a/b"), ["winch.conf"], "no temporary file is left")
    }

    @Test func `preserve the file's mode and a symbolic link`() throws {
        home.makeFolder("dotfiles")
        home.write("dotfiles/real.conf", Array("jobs=8\n".utf8))
        chmod(home.path + "/dotfiles/real.conf", 0o640)
        home.link("winch.conf", to: "dotfiles/real.conf")
        _ = saver().save(ocean)
        var status = stat()
        expect(lstat(home.path + "/winch.conf", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        try expectEqual(text("dotfiles/real.conf"), "jobs=4\ntheme=ocean\n")
        expectEqual(mode("dotfiles/real.conf"), 0o640)
    }

    @Test func `are refused with the reason when the path is not a suitable file`() throws {
        home.makeFolder("folder")
        mkfifo(home.path + "/pipe", 0o600)
        home.link("dangling", to: "nowhere")
        home.write("file", [])
        home.write("packed", [0x1F, 0x8B, 0x08])
        let table = [
            ("folder", "it is not a regular file"), ("pipe", "it is not a regular file"),
            ("dangling", "it is a link to a file that does not exist"), ("file/winch.conf", "not a directory"),
            ("packed", "it is compressed"),
        ]
        for (name, reason) in table {
            expectEqual(words(saver(name).save(ocean)), "Settings not saved in ~/\(name): \(reason)", "\(name)")
        }
        let none = SettingsSaver(path: nil, home: nil)
        expect(words(none.save(ocean)).contains("--no-config"))
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `do not overwrite a read-only file`() throws {
        home.write("winch.conf", Array("jobs=8\n".utf8))
        chmod(home.path + "/winch.conf", 0o400)
        expect(words(saver().save(ocean)).hasSuffix("permission denied"))
        try expectEqual(text(), "jobs=8\n")
    }
}
