import Foundation

/// The true values of a trace for each quarter of a second.
struct Truth: Decodable {
    /// Seconds to the end, pauses excluded.
    var `true`: [Double]
    /// Seconds to the end as predicted from the true mean rate since the last change, with no knowledge of later ones.
    var oracle: [Double]
    /// 0 for samples that are not scored, in a pause.
    var mask: [Int]
    /// Seconds from the first event to the last.
    var duration: Double
    /// For each change of the rate: when the new rate began, and when it ended unless it lasted to the trace's end.
    var changes: [[Double?]]

    private enum CodingKeys: String, CodingKey {
        case `true`, oracle, mask, changes
        case duration = "T"
    }
}

/// The traces in the resources of the tests.
enum Traces {
    static let families = [
        "bursty", "latency_start", "pause", "queue_small", "ratelimit", "resumed60", "retry", "short",
        "stall20", "stall5", "steady", "step_down", "step_up", "wifi",
    ]

    /// One file over several connections that come and go. The queue moves bytes from slow connections to quick ones, so
    /// that all end together: these traces have no ranges, and the row's estimator takes their bytes as one stream.
    static let split = ["split_drop", "split_growth", "split_stall", "split_tail"]

    static func lines(of family: String) throws -> [String] {
        try String(contentsOf: file("\(family)-11.trace"), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    static func truth(of family: String) throws -> Truth {
        try JSONDecoder().decode(Truth.self, from: Data(contentsOf: file("\(family)-11.truth.json")))
    }

    private static func file(_ name: String) -> URL {
        Bundle.module.bundleURL.appending(path: "Traces").appending(path: name)
    }
}
