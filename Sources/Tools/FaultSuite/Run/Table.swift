/// Runs many cases, several at a time, and reports their verdicts in the order of the cases.
package struct Table: Sendable {
    let jobs: Int

    package init(jobs: Int) {
        self.jobs = max(1, jobs)
    }

    /// - Parameter tell: called with each case's verdicts, one for each tool.
    package func run(
        _ cases: [FaultCase], _ tools: [Tool], progress: (FaultCase, [Verdict]) -> Void
    ) async {
        var next = 0
        var reported = 0
        var done: [Int: [Verdict]] = [:]
        await withTaskGroup(of: (Int, [Verdict]).self) { group in
            func add() {
                guard next < cases.count else { return }
                let index = next
                next += 1
                group.addTask {
                    var verdicts: [Verdict] = []
                    for tool in tools { verdicts.append(await Trial(cases[index], with: tool).verdict()) }
                    return (index, verdicts)
                }
            }
            for _ in 0..<jobs { add() }
            for await (index, verdicts) in group {
                done[index] = verdicts
                add()
                while let verdicts = done.removeValue(forKey: reported) {
                    progress(cases[reported], verdicts)
                    reported += 1
                }
            }
        }
    }
}
