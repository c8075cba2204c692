import FaultServer

@testable import WinchScreen

extension KeyAct {
    private static let dashboard = KeyStep.row("a.bin", "↓")

    /// One moving file. The last scenes end the program.
    static let program = KeyAct(
        group: .program, files: { slow($0, "a.bin") }, rows: 36, opening: [dashboard], scenes: panels + terminal + ends)

    private static let panels = [
        KeyScene(.log, "l") { key in [.press(key), .see("following"), .press(key), .gone("following")] },
        KeyScene(.settings, "S", ",") { key in
            [.press(key), .see("on-conflict"), .press(.escape), .gone("on-conflict")]
        },
        KeyScene(.saveSettings, "W") { key in
            [
                .press("t"), .see("Theme light"), .press(key), .see("winch.conf: theme=light"),
                .until("the theme in the file") { stage, _ in
                    (try? stage.terminal.folder.text(".config/winch/winch.conf")) == "theme=light\n"
                },
                .type(":theme dark"), .press(.enter), .see("Theme dark"),
            ]
        },
        KeyScene(.nextTheme, "t") { key in [.press(key), .see("Theme light"), .press(key), .see("Theme high-contrast")]
        },
        KeyScene(.command, ":") { key in
            [
                .press(key), .type("jo"), .see("jobs "), .type("bs 3"), .press(.enter),
                .see("3 files at a time"),
            ]
        },
        KeyScene(.help, "?", .function(1), "h") { key in
            [.press(key), .see("bar counts files or bytes"), .press(.escape), .gone("bar counts files or bytes")]
        },
    ]

    private static let terminal = [
        KeyScene(.toggleMouse, "%") { key in
            [.press(key), .see("Mouse off"), mouse(false), .press(key), .see("Mouse on"), mouse(true)]
        },
        KeyScene(.redraw, .control("l")) { key in
            [
                .perform { stage in
                    // Another process writes to the same terminal, below the rows, where the program draws nothing.
                    let path = try await stage.terminal.tmux(["display-message", "-p", "#{pane_tty}"])
                    try await InstalledTool.run(
                        "/bin/sh", ["-c", "printf '\\0337\\033[20;10Hgarbage\\0338' > \(path)"])
                },
                .see("garbage"), .press(key), .gone("garbage"), dashboard,
            ]
        },
        KeyScene(.suspend, .control("z")) { key in
            [.press(key), .see("Stopped"), .type("fg\n"), dashboard, .gone("Stopped")]
        },
    ]

    private static let ends = [
        KeyScene(.quit, "q") { key in
            [
                .press(key), .see("Quit? This stops 1 download."), .press(.escape), .gone("Quit?"), .press(key),
                .see("Quit?"),
                .press("y"), shell, .perform { try await $0.terminal.winch("-d got") }, dashboard,
            ]
        },
        KeyScene(.background, "&") { key in
            [
                .press(key), .see("go on in the background (process"),
                .perform { try await $0.terminal.winch("attach") },
                dashboard,
            ]
        },
        KeyScene(.stopSession, "Q") { key in
            [
                .press(key), .see("Stop the session"), .press(.escape), .gone("Stop the session"), .press(key),
                .see("Stop the session"), .press("y"), shell, .perform { try await $0.terminal.winch("-d got") },
                dashboard,
            ]
        },
        KeyScene(.interrupt, .control("c")) { key in
            [.press(key), .see("Quit? This stops 1 download."), .press(key), shell]
        },
    ]

    private static func mouse(_ isOn: Bool) -> KeyStep {
        .until("the mouse \(isOn ? "taken" : "free")") { stage, _ in
            try await stage.terminal.tmux(["display-message", "-p", "#{mouse_any_flag}"]) == (isOn ? "1\n" : "0\n")
        }
    }

    private static let shell = KeyStep.until("the shell's screen") { stage, _ in
        try await stage.terminal.tmux(["display-message", "-p", "#{alternate_on}"]) == "0\n"
    }
}
