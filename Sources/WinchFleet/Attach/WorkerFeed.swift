import FoundationEssentials
import WinchModel
import WinchSession

/// The messages of one worker, as updates with the clock of this process.
///
/// The clocks of machines have nothing to do with each other. The difference is that between the instant in a message and the one
/// of its arrival; the least difference is that of the message that was under way for the shortest time.
struct WorkerFeed {
    private var assembler = UpdateAssembler(secondShift: 0)
    private var decoder = JSONDecoder()
    private var shift: Int64?

    /// A difference that grows by more is no delay: the machine was suspended.
    private static let longestDelay: Int64 = 30_000_000_000

    enum Outcome {
        case update(Update, entries: [TransferID: UInt64])
        /// It contradicts what was before, or is none: the whole queue is needed.
        case unknown
    }

    mutating func take(_ body: [UInt8], at now: Moment) -> Outcome {
        let data = Data(body)
        guard let time = try? JSONDecoder().decode(WorkerUpdate.Time.self, from: data) else { return .unknown }
        let new = now.nanoseconds &- time.update.at.nanoseconds
        if let old = shift, new > old, new - old < Self.longestDelay {
        } else {
            shift = new
            if let key = CodingUserInfoKey.clockShift { decoder.userInfo[key] = new }
        }
        guard let message = try? decoder.decode(WorkerUpdate.self, from: data),
            let update = try? assembler.update(message.update)
        else {
            assembler = UpdateAssembler(secondShift: 0)
            return .unknown
        }
        let entries = (message.entries ?? [:]).map { (TransferID($0.key), $0.value) }
        return .update(update, entries: Dictionary(entries) { $1 })
    }
}
