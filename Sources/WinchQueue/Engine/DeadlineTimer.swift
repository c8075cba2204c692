import Synchronization
import WinchModel

/// Calls `tick` once at the earliest deadline. Without a deadline it never wakes.
final class DeadlineTimer: Sendable {
    private struct Alarm {
        var at: Moment
        var task: Task<Void, Never>
    }

    private let alarm = Mutex<Alarm?>(nil)
    private let now: @Sendable () -> Moment
    private let tick: @Sendable () -> Void

    init(now: @escaping @Sendable () -> Moment, tick: @escaping @Sendable () -> Void) {
        self.now = now
        self.tick = tick
    }

    /// The time of the next tick; `nil`: none is due.
    var deadline: Moment? { alarm.withLock { $0?.at } }

    /// Ensures a tick at `deadline` or earlier. A deadline later than the present one is ignored, because the engine sets the
    /// next deadline again after each tick.
    func ensureTick(by deadline: Moment?) {
        guard let deadline else { return }
        alarm.withLock { alarm in
            if let set = alarm, set.at <= deadline { return }
            alarm?.task.cancel()
            alarm = Alarm(at: deadline, task: sleep(until: deadline))
        }
    }

    func stop() {
        alarm.withLock { alarm in
            alarm?.task.cancel()
            alarm = nil
        }
    }

    private func sleep(until deadline: Moment) -> Task<Void, Never> {
        let span = max(.zero, deadline - now())
        return Task { [weak self] in
            do { try await Task.sleep(for: span) } catch { return }
            self?.ring(deadline)
        }
    }

    private func ring(_ deadline: Moment) {
        let isMine = alarm.withLock { alarm in
            guard alarm?.at == deadline else { return false }
            alarm = nil
            return true
        }
        if isMine { tick() }
    }
}
