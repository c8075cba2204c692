import WinchModel

/// Passes the updates of a worker's engine on to the worker.
final class QueueFollower: UpdateSubscriber {
    private let input: AsyncStream<FleetWorker.Input>.Continuation

    init(_ input: AsyncStream<FleetWorker.Input>.Continuation) { self.input = input }

    func post(_ update: Update) { input.yield(.update(update)) }
}
