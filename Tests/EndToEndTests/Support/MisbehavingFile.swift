import FaultServer

@testable import WinchModel
@testable import WinchQueue

/// A file of the fault server with random faults, and the hashes that its download may have.
struct MisbehavingFile {
    let name: String
    let options: [String]
    /// The true size, whatever length the server declares.
    private let size: Int64
    private let declared: Int64?

    init(_ name: String, _ random: inout SplitMix64) {
        self.name = name
        // Mostly small, sometimes larger than one buffer, sometimes empty.
        size = Int64.random(in: 0...[0, 900, 40_000, 40_000, 300_000, 900_000].pick(&random), using: &random)
        let place = Int64.random(in: 0...max(1, size), using: &random)
        declared =
            Int.random(in: 0..<8, using: &random) == 0 ? [size / 2, size + 700, size * 3].pick(&random) : nil
        let framing = declared.map { ["length=\($0)"] } ?? [[], [], [], ["chunked"], ["nolength"]].pick(&random)
        let breaks: [[String]] = [
            ["dropfirst=\(place)"], ["dropfirst=\(place)", "reset"], ["drop=\(max(1, size / 3))"],
        ]
        let others: [[String]] = [
            [], [], [], ["stall=\(place)", "stallfor=0.2"], ["status=503,200"], ["status=close,200"], ["status=404"],
        ]
        // A body whose end is the connection's end gets neither a break nor extra bytes: a client could detect neither.
        let hasEnd = framing != ["nolength"]
        let troubles = (hasEnd ? others + breaks : others).pick(&random)
        let manners: [String] = [
            [], [], [], ["ranges=off"], ["ranges=lie"], ["noetag"], ["weaketag=w"], hasEnd ? ["extra=300"] : [],
        ].pick(&random)
        let paths: [String] = [[], [], ["redirect=1"], ["redirect=3"], ["latency=0.1"], ["rate=600000"]].pick(&random)
        let probes: [String] = [
            [], [], ["head=405"], ["head=503"], ["headlength=\(size / 3)"], ["headlength=\(size * 2 + 5)"],
            ["headdelay=0.3"],
        ].pick(&random)
        options = ["size=\(size)"] + framing + troubles + manners + paths + probes
    }

    func url(on server: FaultServer) -> String {
        server.url(name) + "?" + options.joined(separator: "&")
    }

    /// If the server declares less than it has, the file is shorter, which no client can detect.
    func holds(_ hash: String) -> Bool {
        let sizes = [size, declared ?? size].filter { $0 <= size }
        return sizes.contains { SeededContent(name: name).sha256(size: $0) == hash }
    }
}

extension Array {
    fileprivate func pick(_ random: inout SplitMix64) -> Element { self[Int.random(in: 0..<count, using: &random)] }
}
