/// Reads a run's JSON lines as a script would, and reports a rule that they break.
struct JSONWitness {
    /// The last percentage of each transfer.
    private var percents: [Int: Int] = [:]
    /// The last fraction of the queue, and whether it may have fallen since, because of a rebase.
    private var fraction = 0.0
    private var isRebased = false
    private var sums = (completed: 0, total: 0)
    private(set) var totals: (completed: Int, total: Int)?
    private(set) var finished: [(id: Int, path: String)] = []
    private(set) var urls: [Int: String] = [:]
    private(set) var rebases = 0
    private var ends = 0

    /// - Returns: the broken rule, or `nil`.
    mutating func read(_ line: [String: Any]) -> String? {
        guard let event = line["event"] as? String else { return "no event" }
        if event == "queue" { return readQueue(line) }
        sums.completed += line["delta"] as? Int ?? 0
        sums.total += line["deltaTotal"] as? Int ?? 0
        if event == "queueFinished" { ends += 1 }
        let id = line["id"] as? Int
        if event == "rebase" {
            rebases += 1
            isRebased = true
            if let id { percents[id] = nil }
        }
        guard let id else { return nil }
        if event == "added" { urls[id] = line["url"] as? String }
        if event == "finished", let path = line["path"] as? String { finished.append((id, path)) }
        guard let percent = line["percent"] as? Int else { return nil }
        defer { percents[id] = percent }
        if !(0...100).contains(percent) { return "\(percent)%" }
        if (percent == 100) != (event == "finished") { return "\(percent)% when \(event)" }
        if let before = percents[id], percent < before { return "from \(before)% to \(percent)% without a rebase" }
        return nil
    }

    private mutating func readQueue(_ line: [String: Any]) -> String? {
        guard let value = line["fraction"] as? Double else { return "no fraction" }
        defer { (fraction, isRebased) = (value, false) }
        if !(0...1).contains(value) { return "fraction \(value)" }
        if value < fraction, !isRebased { return "fraction from \(fraction) to \(value) without a rebase" }
        guard let completed = line["completed"] as? Int, let total = line["total"] as? Int else { return "no totals" }
        totals = (completed, total)
        if line["mode"] as? String == "accurate", (completed, total) != sums {
            return "the queue says \(completed)/\(total), the changes add up to \(sums)"
        }
        return nil
    }

    /// The rule that is broken at the end of the run, or `nil`.
    var verdict: String? {
        if fraction != 1 { return "ends at \(fraction)" }
        if let totals, totals.completed != totals.total { return "ends at \(totals)" }
        return ends == 1 ? nil : "\(ends) ends"
    }
}
