import Foundation

/// What really happened in a trace, each quarter of a second.
struct Truth: Decodable {
    /// Seconds to the end, pauses left out.
    var `true`: [Double]
    /// Seconds to the end as one would say who knows the present regime's mean rate, but not the future.
    var oracle: [Double]
    /// 0 where no figure is asked for: in a pause.
    var mask: [Int]
    /// Seconds from the first event to the last.
    var duration: Double
    /// When a regime began, and when it ended if it did before the trace.
    var changes: [[Double?]]

    private enum CodingKeys: String, CodingKey {
        case `true`, oracle, mask, changes
        case duration = "T"
    }
}

/// The traces that travel with the tests.
enum Traces {
    static let families = [
        "bursty", "latency_start", "pause", "queue_small", "ratelimit", "resumed60", "retry", "segmented", "short",
        "stall20", "stall5", "steady", "step_down", "step_up", "wifi",
    ]

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
