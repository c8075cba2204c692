import FaultServer
import Foundation

/// What sessions upload: files beside the batch, which must stay as they are, and entries that send them to the fault server.
enum MonkeyUploads {
    static let folder = "sources"
    /// Names and sizes.
    private static let files: [(name: String, size: Int64)] = [
        ("empty", 0), ("one", 1), ("small", 40_000), ("a \"b\";東京", 200_000), ("large", 1_500_000),
    ]
    private static let troubles: [[String]] = [
        [], [], [], ["rate=200K"], ["latency=1"], ["status=404"], ["status=503,201", "retryafter=1"], ["status=500"],
        ["status=close,201"], ["status=reset"], ["drop=4K"], ["dropfirst=20K"], ["dropfirst=20K", "reset"],
        ["stall=500"], ["stallfirst=900"], ["expect=off"], ["expectdelay=2"], ["interim=103"], ["answerat=1K"],
        ["answerat=1K", "then=cut"], ["answerat=never"], ["reply=3M"], ["errbody=1M", "status=507"],
        ["redirect=2", "redirectcode=307"], ["redirect=1", "redirectcode=302"], ["user=alice", "pass=secret"],
        ["header=X-Odd: \u{1B}[31m\u{9B}2J"], ["location=/up/\u{1B}[2J"], ["limit=1", "limitkey=up"],
    ]
    private static let tusTroubles: [[String]] = [
        [], [], ["dropfirst=20K"], ["headoffset=5"], ["patchoffset=5"], ["badchecksum=2"], ["lose=10K"],
        ["create=503,201"], ["headstatus=503,200"], ["notus"], ["maxsize=1K"], ["location=relative"],
        ["extensions=creation"], ["extensions=creation", "headoffset=99999999999"],
    ]

    /// Makes the files.
    static func write(to scratch: Scratch) throws {
        let path = scratch[folder]
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, size) in files {
            try Data(content(name, size)).write(to: URL(fileURLWithPath: path + "/" + name))
        }
    }

    private static func content(_ name: String, _ size: Int64) -> [UInt8] {
        SeededContent(name: name).bytes(in: 0..<size)
    }

    /// - Returns: the lines of an entry.
    static func entry(origin: String, using random: inout SplitMix) -> String {
        let file = folder + "/" + (files.randomElement(using: &random)?.name ?? "one")
        let number = Int.random(in: 1...999_999, using: &random)
        func url(_ path: String, _ options: [String]) -> String {
            origin + path + "?" + (options + ["n=\(number)"]).map(MonkeyEntry.option).joined(separator: "&")
        }
        let own = troubles.randomElement(using: &random) ?? []
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2:
            let options = tusTroubles.randomElement(using: &random) ?? []
            return url("/tus", options) + "\n  upload=\(file)\n  resumable=tus"
        case 2: return url("/up/form\(number)", own) + "\n  form=a=\u{1B}[2J\"\n  form=file=@\(file)"
        case 3: return url("/up/post\(number)", own) + "\n  upload=\(file)\n  method=POST"
        case 4: return url("/up/none\(number)", own) + "\n  upload=\(folder)/missing"
        default: return url("/up/" + MonkeyEntry.percent("put \(number) 東京"), own) + "\n  upload=\(file)"
        }
    }

    /// The files are as they were, and each one that the server has whole is one of them.
    static func faults(in scratch: Scratch, _ server: FaultServer) -> [String] {
        var faults: [String] = []
        let contents = files.map { content($0.name, $0.size) }
        for ((name, _), content) in zip(files, contents) {
            let found = FileManager.default.contents(atPath: scratch[folder + "/" + name])
            if found.map(Array.init) != content { faults.append("\(name), which was uploaded, is another file now") }
        }
        let extra = scratch.files(below: folder).subtracting(files.map(\.name))
        faults += extra.sorted().map { "\($0.debugDescription) was made beside the uploaded files" }
        let paths = Set(server.uploads.filter { $0.method == "PUT" || $0.path.hasPrefix("/up/post") }.map(\.path))
        for path in paths.sorted() {
            guard let received = server.uploaded(String(path.dropFirst("/up/".count))) else { continue }
            if !contents.contains(received) { faults.append("\(path) received \(received.count) bytes of no file") }
        }
        for upload in server.tusUploads where upload.isComplete && !contents.contains(upload.bytes) {
            faults.append("tus received \(upload.length) bytes of no file")
        }
        return faults
    }
}
