import FaultServer
import WinchCore

/// A file of the fault server with troubles drawn by lot, and what it may hash to once it is here.
struct MisbehavingFile {
    let name: String
    let options: [String]
    /// What the server gives before it lies about lengths.
    private let size: Int64
    private let declared: Int64?

    init(_ name: String, _ random: inout SplitMix64) {
        self.name = name
        // Mostly small, now and then more than one buffer, now and then nothing.
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
        // A body that ends with its connection is whole wherever that ends, and holds all that came.
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

    /// A server that declares less than it has gives a shorter file: nobody can know.
    func holds(_ hash: String) -> Bool {
        let sizes = [size, declared ?? size].filter { $0 <= size }
        return sizes.contains { SeededContent(name: name).sha256(size: $0) == hash }
    }
}

extension Array {
    fileprivate func pick(_ random: inout SplitMix64) -> Element { self[Int.random(in: 0..<count, using: &random)] }
}
