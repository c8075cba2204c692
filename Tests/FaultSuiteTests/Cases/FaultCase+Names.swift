extension FaultCase {
    /// A Content-Disposition, and the only file name that may result from it.
    private static func named(_ title: String, _ value: String, _ name: String) -> FaultCase {
        FaultCase(title, disposed(value), gives: .files([name: .served("plain", size: 9)]))
    }

    /// File names that servers give.
    static let names: [FaultCase] = [
        named("..\\..\\evil", "attachment; filename=\"..\\..\\evil\"", "evil"),
        named("blanks and dots only", "attachment; filename=\" . . \"", "plain"),
        named("a hidden file", "attachment; filename=\".bashrc\"", "_bashrc"),
        named("text turned around", "attachment; filename*=UTF-8''ann%E2%80%AEgpj.exe", "anngpj.exe"),
        named("a device of Windows", "attachment; filename=\"NUL\"", "NUL"),
        named(
            "300 bytes", "attachment; filename=\"\(String(repeating: "n", count: 300)).txt\"",
            String(repeating: "n", count: 240) + ".txt"),
        named("an unclosed quote", "attachment; filename=\"half", "half"),
        FaultCase(
            "NUL in a name", disposed("attachment; filename=\"a\0b\""),
            gives: .files(["ab": .served("plain", size: 9)]).or(6, 22)),
        FaultCase(
            "dots encoded in the URL", "/f/%2e%2e%2fpasswd?size=9",
            gives: .files(["passwd": .served("../passwd", size: 9)])),
        FaultCase("NUL encoded in the URL", "/f/a%00b?size=9", gives: .files(["ab": .served("a\0b", size: 9)])),
        FaultCase(
            "a URL that ends in a slash", "/f/folder/?size=9",
            gives: .files(["index.html": .served("folder/", size: 9)])),
        FaultCase(
            "300 bytes in the URL", "/f/\(String(repeating: "u", count: 300))?size=9",
            gives: .files([String(repeating: "u", count: 244): .served(String(repeating: "u", count: 300), size: 9)])),
        FaultCase(
            "three of one name",
            "\((0..<3).map { "/f/same.tar.gz?size=1000&seed=\($0)" }.joined(separator: " ")) -j 1 --per-host 1",
            gives: .files([
                "same.tar.gz": .seeded(0, size: 1000), "same.1.tar.gz": .seeded(1, size: 1000),
                "same.2.tar.gz": .seeded(2, size: 1000),
            ])),
        FaultCase(
            "names that differ in case", "/f/A.txt?size=9 /f/a.txt?size=9",
            gives: .files(["A.txt": .served("A.txt", size: 9), "a.txt": .served("a.txt", size: 9)])),
        FaultCase(
            "one name from two servers' mouths",
            "\(disposed("attachment; filename=x")) \(disposed("attachment; filename=x", size: "10")) -j 1 --per-host 1",
            gives: .files(["x": .served("plain", size: 9), "x.1": .served("plain", size: 10)])),
    ]

    private static let mine: [String: Content] = ["got/a.txt": .text("mine")]

    /// A file of the same name already exists.
    static let conflicts: [FaultCase] = [
        FaultCase(
            "taken, rename", "/f/a.txt?size=4 --on-conflict rename", before: mine,
            gives: .files(["a.txt": .text("mine"), "a.1.txt": .served("a.txt", size: 4)])),
        FaultCase(
            "taken, skip", "/f/a.txt?size=4 --on-conflict skip", before: mine,
            gives: .files(["a.txt": .text("mine")]).requests(0...1)),
        FaultCase(
            "a folder has the name", "/f/a", before: ["got/a": .folder],
            gives: .files(["a": .folder, "a.1": .served("a")])),
        FaultCase(
            "a folder has the name, overwrite", "/f/a --on-conflict overwrite", before: ["got/a": .folder],
            gives: .files(["a": .folder]).or(13, 17).keepingParts),
        FaultCase(
            "a link has the name", "/f/a",
            before: ["home/victim": .text("mine"), "got/a": .link(to: "../home/victim")],
            gives: .files(["a": .link(to: "../home/victim"), "a.1": .served("a")])),
        FaultCase(
            "a link has the name, overwrite", "/f/a --on-conflict overwrite",
            before: ["home/victim": .text("mine"), "got/a": .link(to: "../home/victim")],
            gives: .files(["a": .link(to: "../home/victim")], code: 13).keepingParts),
        FaultCase(
            "a dangling link has the name", "/f/a", before: ["got/a": .link(to: "../home/nothing")],
            gives: .files(["a": .link(to: "../home/nothing"), "a.1": .served("a")])),
    ]
}
