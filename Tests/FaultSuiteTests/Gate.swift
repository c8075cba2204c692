/// Lets so many through at a time.
actor Gate {
    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) {
        self.places = places
    }

    func through<Outcome: Sendable>(_ body: @Sendable () async -> Outcome) async -> Outcome {
        if places > 0 {
            places -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        let outcome = await body()
        if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
        return outcome
    }
}
