extension FaultCase {
    /// File names that servers give.
    static let names: [FaultCase] = [
        FaultCase(
            "..\\..\\evil", disposed("attachment; filename=\"..\\..\\evil\""),
            gives: .files(["evil": .served("plain", size: 9)])),
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

    /// A file of the same name already exists.
    static let conflicts: [FaultCase] = [
        FaultCase(
            "a folder has the name", "/f/a", before: ["got/a": .folder],
            gives: .files(["a": .folder, "a.1": .served("a")])),
        FaultCase(
            "a link has the name", "/f/a",
            before: ["home/victim": .text("mine"), "got/a": .link(to: "../home/victim")],
            gives: .files(["a": .link(to: "../home/victim"), "a.1": .served("a")])),
        FaultCase(
            "a dangling link has the name", "/f/a", before: ["got/a": .link(to: "../home/nothing")],
            gives: .files(["a": .link(to: "../home/nothing"), "a.1": .served("a")])),
    ]
}
