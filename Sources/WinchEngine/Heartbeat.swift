import Synchronization
import WinchCore

/// Ticks once when the time has come. Only the earliest deadline is kept; no deadline, no wake-up.
final class Heartbeat: Sendable {
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

    /// When it will tick next; `nil`: not at all.
    var deadline: Moment? { alarm.withLock { $0?.at } }

    /// Sees to it that a tick comes at `deadline` or before. A later one than that already set changes nothing: the tick
    /// then asks anew.
    func beat(by deadline: Moment?) {
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
