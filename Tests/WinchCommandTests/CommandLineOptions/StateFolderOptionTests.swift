import ArgumentParser
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The option of the state folder` {
    @Test func `names the folder of queue and history`() throws {
        let option = try StateFolderOption.parse(["--state-dir", "/state"])
        #expect(option.folder == "/state")
        #expect(try option.chosenFolder == "/state")
        #expect(option.arguments == ["--state-dir", "/state"])
    }

    @Test func `gives a session a folder of its own below it`() throws {
        let option = try StateFolderOption.parse(["--state-dir", "/state/", "--session", "night"])
        #expect(option.folder == "/state/sessions/night")
        #expect(option.arguments == ["--state-dir", "/state", "--session", "night"])
    }

    @Test(arguments: ["--session=../x", "--session=a/b"])
    func `refuses a session whose folder would be elsewhere`(option: String) {
        #expect(throws: (any Error).self) { try StateFolderOption.parse([option]) }
    }
}
