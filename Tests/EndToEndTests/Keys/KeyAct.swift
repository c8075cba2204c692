import FaultServer
import Foundation
import Testing

@testable import WinchScreen

/// One session of the program, with scenes for a group of keys.
struct KeyAct: Sendable, CustomTestStringConvertible {
    let group: KeyMap.Group
    let files: @Sendable (FaultServer) -> [String]
    var options = ""
    var columns = 120
    var rows = 24
    /// Steps until the screen is as the scenes expect it.
    let opening: [KeyStep]
    let scenes: [KeyScene]

    var testDescription: String { group.rawValue }

    static let all = [move, list, transfer, queue, program]

    func play(on server: FaultServer) async throws {
        let folder = try TestFolder()
        try folder.write(files(server).joined(separator: "\n"), to: "urls.txt")
        try folder.writeScript("echo \"$1\" > opened", to: "xdg-open")
        let terminal = try await Tmux(
            folder, columns: columns, rows: rows, environment: ["PATH": "\(folder.url.path):/usr/bin:/bin"])
        try await terminal.tmux(["set", "-g", "set-clipboard", "on"])
        let stage = KeyStage(terminal: terminal, server: server)
        try await stage.play([start(options)] + opening)
        for scene in scenes {
            for key in scene.keys { try await stage.play(scene, key) }
        }
    }
}

/// Opens the dashboard on the files of the act.
private func start(_ options: String) -> KeyStep {
    .perform { try await $0.terminal.winch("-i urls.txt -d got --retry-wait 30 \(options); echo ended-$?") }
}

extension KeyAct {
    static func slow(_ server: FaultServer, _ names: String...) -> [String] {
        names.map { server.url($0, "size=400M", "rate=1M") }
    }
}
