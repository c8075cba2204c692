import WinchModel

@testable import WinchQueue

/// A host that answers at once and paces each connection; what `rates` returns are bytes a second of each of `count`
/// connections.
struct SplitLine {
    var controller: SplitController
    var now = Moment(seconds: 10)
    var left: Int64
    var open: [Int] = []
    var next = 1
    var requests = 0
    var refusals = 0
    var log: [SplitDecision] = []
    /// Bytes a second of one connection of so many.
    var rate: (Int) -> Double
    /// More are refused.
    var allowed = Int.max
    var refusal = SplitRefusal.status(429)
    /// These get 64 kB/s.
    var slow: Set<Int> = []
    /// Bytes that each connection brings at once; 0: as they come.
    var lump: Int64 = 0
    /// Bytes that come at once in the beginning.
    var burst: Int64 = 0
    /// Connections times seconds.
    private(set) var held = 0.0
    private var credit: [Int: Int64] = [:]
    /// Seconds from the opening of a connection to its first byte.
    var delay = 0.0
    private var openedAt: [Int: Moment] = [:]

    init(left: Int64 = 1 << 30, mayRepeat: Bool = true, allowance: Int? = nil, rate: @escaping (Int) -> Double) {
        controller = SplitController(mayRepeatRequest: mayRepeat, allowance: allowance, at: Moment(seconds: 10))
        self.left = left
        self.rate = rate
    }

    mutating func run(
        seconds: Double, slots: Int = 8, ceiling: Int = 8, mutate: (inout SplitCircumstances) -> Void = { _ in }
    ) {
        let end = now + .seconds(seconds)
        while now < end {
            var circumstances = SplitCircumstances(left: ByteCount(bytes: left), slots: slots, ceiling: ceiling)
            mutate(&circumstances)
            log += controller.change(circumstances, at: now)
            while open.count > controller.wanted, let last = open.popLast() {
                log += controller.apply(.closed(last), at: now)
            }
            while open.count < controller.wanted, controller.opensAt == nil {
                let number = next
                next += 1
                requests += 1
                openedAt[number] = now
                log += controller.apply(.opened(number), at: now)
                if open.count >= allowed {
                    refusals += 1
                    log += controller.apply(.refused(number, refusal), at: now)
                } else {
                    open.append(number)
                    log += controller.apply(.answered(number), at: now)
                }
            }
            now = now + .milliseconds(5)
            held += 0.005 * Double(open.count)
            let flowing = open.filter { (now - (openedAt[$0] ?? now)).seconds >= delay }
            for number in flowing {
                credit[number, default: 0] += Int64((slow.contains(number) ? 64e3 : rate(flowing.count)) * 0.005)
                if burst > 0 { (credit[number, default: 0], burst) = (burst, 0) }
                guard let bytes = credit[number], bytes >= lump else { continue }
                credit[number] = 0
                left -= bytes
                log += controller.apply(.moved(number, ByteCount(bytes: bytes)), at: now)
            }
        }
    }
}
