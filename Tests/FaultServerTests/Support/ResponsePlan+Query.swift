import TestSupport
import Testing

@testable import FaultServer

extension ResponsePlan {
    /// The answer to a request for `/f/a?QUERY`.
    ///
    /// - Parameter number: of the request, counted from 1.
    static func planned(
        _ query: String, method: String = "GET", number: Int = 1, busy: Int = 0,
        _ headers: (String, String)...
    ) throws -> ResponsePlan {
        let target = "/f/a?" + query
        let request = ReceivedRequest(
            method: method, target: target, headers: headers.map { .init(name: $0.0, value: $0.1) },
            isKeepAlive: true)
        let behaviour = try require(FaultOptions(RequestTarget(target)))
        let visit = Visit(number: number, earlierGets: number - 1)
        return gate(request, behaviour, busy: busy) ?? file(request, behaviour, visit)
    }

    /// Heads, chunk framing and everything else that is not body.
    static func rawText(_ plan: ResponsePlan) -> String {
        plan.steps.map { if case .raw(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { "" } }.joined()
    }
}

extension FaultOptions {
    /// The typical values of the help.
    static func examples(_ help: [String]) -> [String] {
        help.filter { $0.hasPrefix("  ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
    }
}

extension ResponsePlan.Step {
    /// Bytes of the file `a`.
    static func seeded(_ range: Range<Int64>) -> ResponsePlan.Step {
        .body(.seeded(SeededContent(name: "a"), range))
    }
}
