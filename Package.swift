// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let strictC: [CSetting] = [.treatAllWarnings(as: .error)]

func tests(_ module: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(module)Tests", dependencies: [.byName(name: module)] + dependencies, exclude: exclude,
        swiftSettings: strict)
}

/// The built-in themes; each is a file in Resources/themes.
let themes = ["dark", "light", "high-contrast", "mono", "rainbow", "ocean", "ember"]

/// Pictures of the README, made by `make picture`.
let pictures = ["dashboard.svg", "details.svg", "settings.svg", "light.svg"]

let package = Package(
    name: "winch",
    products: [
        .executable(name: "winch", targets: ["winch"]),
        .library(name: "WinchKit", targets: ["WinchKit"]),
        // Needs libnats, which the command `winch` does not.
        .executable(name: "winch-fleet", targets: ["winch-fleet"]),
        .executable(name: "fault-server", targets: ["fault-server"]),
        .executable(name: "winch-replay", targets: ["winch-replay"]),
        // Loaded with LD_PRELOAD by the tests that simulate a power loss.
        .library(name: "PowerLoss", type: .dynamic, targets: ["PowerLoss"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    ],
    targets: [
        // The command `winch`.
        .executableTarget(
            name: "winch",
            dependencies: [
                "WinchModel", "WinchBatch", "WinchQueue", "WinchKit", "WinchTransport", "WinchLedger", "WinchScreen",
                "WinchTerminal", "WinchSession", "WinchSystem", "CSession",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict),

        // The engine with its transport, for the command and for other programs.
        .target(
            name: "WinchKit", dependencies: ["WinchModel", "WinchBatch", "WinchQueue", "WinchTransport"],
            swiftSettings: strict),

        // Modules that share only the pure ones.
        .target(
            name: "WinchQueue",
            dependencies: ["WinchModel", "WinchProgress", .product(name: "HeapModule", package: "swift-collections")],
            swiftSettings: strict),
        .target(
            name: "WinchTransport",
            dependencies: [
                "WinchModel", "WinchBatch", "WinchProgress", "WinchHTTP", "WinchListing", "WinchSSH", "WinchSystem",
                "CTransport", "Hashing",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict),
        .target(
            name: "WinchLedger", dependencies: ["WinchModel", "WinchBatch", "WinchSystem", "CSQLite"],
            swiftSettings: strict),
        .target(
            name: "WinchTerminal",
            dependencies: ["WinchScreen", "WinchModel", "WinchBatch", "WinchSystem", "CTerminal"],
            swiftSettings: strict),

        // A running Winch seen from outside: the local socket, its protocol, server and client.
        .target(
            name: "WinchSession", dependencies: ["WinchModel", "WinchSystem", "CSession"], swiftSettings: strict),

        // One list for many machines: a queue on NATS JetStream, and the program `winch-fleet`, which `winch fleet` runs.
        .target(
            name: "WinchFleet",
            dependencies: [
                "WinchModel", "WinchBatch", "WinchQueue", "WinchKit", "WinchTransport", "WinchSession", "WinchSystem",
                "Hashing", "CNats",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "winch-fleet",
            dependencies: [
                "WinchFleet", "WinchModel", "WinchBatch", "WinchTransport", "WinchTerminal", "WinchScreen",
                "WinchSystem",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        // What several modules ask of the system.
        .target(name: "WinchSystem", dependencies: ["WinchModel", "CSession"], swiftSettings: strict),

        // Pure modules: no clock, no input or output, no Foundation.
        .target(name: "WinchScreen", dependencies: ["WinchModel", "WinchBatch", "Resources"], swiftSettings: strict),
        .target(name: "WinchModel", swiftSettings: strict),
        // With expat, which reads the XML of Metalink files and of listings from memory.
        .target(name: "WinchBatch", dependencies: ["WinchModel", "Cexpat"], swiftSettings: strict),
        // Listings of folders.
        .target(name: "WinchListing", dependencies: ["WinchModel", "WinchBatch"], swiftSettings: strict),
        .target(name: "WinchHTTP", dependencies: ["WinchModel"], swiftSettings: strict),
        .target(name: "WinchSSH", dependencies: ["WinchModel"], swiftSettings: strict),
        .target(name: "WinchProgress", dependencies: ["WinchModel"], swiftSettings: strict),

        // A development tool: measures the cost of rates and ETAs. Its tests replay traces of arriving bytes.
        .executableTarget(
            name: "winch-replay", dependencies: ["WinchModel", "WinchProgress"], path: "Tests/winch-replay",
            swiftSettings: strict),

        // The hash functions of OpenSSL, which the command shares with the local server and the tests.
        .target(name: "Hashing", dependencies: ["CHashing"], swiftSettings: strict),

        // C shims for the system's libraries, and these libraries.
        .target(name: "CHashing", cSettings: strictC, linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "CTransport", dependencies: ["Clibcurl", "Czlib"], cSettings: strictC),
        .target(name: "CSession", cSettings: strictC + [.define("_GNU_SOURCE")]),
        .target(
            name: "CTerminal", dependencies: ["Cncursesw"],
            cSettings: strictC + [.define("_GNU_SOURCE"), .define("NCURSES_WIDECHAR")],
            linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
        .systemLibrary(
            name: "Clibcurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        // Without pkgConfig, because its file has -D flags, about which SwiftPM warns; CTerminal defines them itself.
        .systemLibrary(name: "Cncursesw", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "Cexpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "Czlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // Without pkgConfig, because only `winch-fleet` needs it.
        .systemLibrary(name: "CNats", providers: [.apt(["libnats-dev"])]),

        // Text files that are embedded in the binary.
        .target(
            name: "Resources", path: "Resources", exclude: ["winch.1", "winch-protocol.7", "schedulers"] + pictures,
            resources: [.embedInCode("demo.urls")] + themes.map { .embedInCode("themes/\($0).theme") },
            swiftSettings: strict),

        // A local server that misbehaves on demand, for the tests and the demo.
        .target(
            name: "FaultServer", dependencies: ["Hashing", "WinchSystem", "CSession"], path: "Tests/FaultServer",
            swiftSettings: strict),
        .executableTarget(
            name: "fault-server",
            dependencies: [
                "FaultServer", "Resources", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/fault-server", swiftSettings: strict),

        // A pseudo-terminal and a strict emulator that reports what a correct program never writes, for the tests.
        .target(
            name: "TerminalEmulator",
            // For the width of a character in columns, as the C library has it.
            dependencies: ["CTerminal"],
            path: "Tests/TerminalEmulator", swiftSettings: strict),

        .target(name: "PowerLoss", path: "Tests/PowerLoss", cSettings: strictC),

        // Helpers for the tests of several modules.
        .target(
            name: "TestSupport", dependencies: ["WinchModel", "CTransport"], path: "Tests/TestSupport",
            swiftSettings: strict),

        tests("Hashing", ["TestSupport"]),
        tests("WinchModel", ["TestSupport"]),
        tests("WinchBatch", ["TestSupport", "WinchModel"]),
        tests("WinchHTTP", ["TestSupport", "WinchModel"]),
        tests("WinchListing", ["TestSupport", "WinchModel"], exclude: ["Pages"]),
        tests("WinchSSH", ["TestSupport", "WinchModel"]),
        tests("WinchProgress", ["TestSupport", "WinchModel"]),
        tests("WinchQueue", ["TestSupport", "WinchModel", "WinchHTTP", "WinchProgress"]),
        tests(
            "WinchTransport",
            [
                "WinchModel", "WinchBatch", "WinchHTTP", "WinchQueue", "WinchSystem", "CTransport", "FaultServer",
                "TestSupport", "Hashing",
            ]),
        tests("WinchLedger", ["WinchModel", "WinchBatch", "CSQLite", "TestSupport"]),
        .testTarget(
            name: "WinchCommandTests",
            dependencies: [
                "winch", "WinchModel", "WinchBatch", "WinchQueue", "WinchLedger", "WinchScreen", "WinchSession",
                "WinchSystem", "WinchTerminal", "WinchTransport", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        tests("WinchKit", ["WinchModel", "FaultServer", "TestSupport"]),
        tests("WinchSession", ["WinchModel", "TestSupport"]),
        tests(
            "WinchFleet",
            [
                "WinchModel", "WinchBatch", "WinchSession", "FaultServer", "TestSupport", "winch-fleet",
                "winch",
            ]),
        tests("WinchScreen", ["WinchModel", "WinchBatch", "Resources", "TestSupport"], exclude: ["Golden"]),
        tests("WinchTerminal", ["WinchModel", "WinchScreen", "TerminalEmulator", "TestSupport"]),
        tests("FaultServer", ["TestSupport"]),
        .testTarget(
            name: "WinchReplayTests", dependencies: ["winch-replay", "WinchModel", "TestSupport"],
            resources: [.copy("Traces")],
            swiftSettings: strict),
        // The built program against a table of faults, kills at random moments and random input.
        .testTarget(
            name: "FaultSuiteTests",
            dependencies: ["WinchModel", "FaultServer", "TerminalEmulator", "TestSupport", "winch"],
            swiftSettings: strict),
        // Runs the parsers on random input: thousands of inputs in the tests, millions in `make fuzz`.
        .target(
            name: "FuzzTargets", dependencies: ["WinchModel", "WinchBatch", "WinchHTTP", "WinchListing", "WinchSSH"],
            path: "Tests/FuzzTargets", swiftSettings: strict),
        .testTarget(
            name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"], resources: [.copy("Corpus")],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "FaultServer", "WinchModel", "WinchLedger", "TerminalEmulator", "TestSupport", "winch", "Hashing",
            ],
            swiftSettings: strict),
    ]
)
