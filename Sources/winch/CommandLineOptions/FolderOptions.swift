import ArgumentParser

/// The options "Folders": what lies below a folder.
struct FolderOptions: OptionSection {
    @Flag(name: .shortAndLong, help: "With winch put: send folders with all that lies below them.")
    var recursive = false

    @Flag(help: "With winch put -r: send what symbolic links lead to.")
    var follow = false

    static let traits: [String: Set<OptionTrait>] = ["recursive": [.ofOneRun], "follow": [.ofOneRun]]
}
