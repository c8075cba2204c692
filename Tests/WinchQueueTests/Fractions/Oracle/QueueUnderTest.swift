import TestSupport

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

/// The queue under test, driven by the same moves as ASI's; this type decides how the transport reports each response.
struct QueueUnderTest {
    private var run: QueueRun
    /// By number - 1: bytes of this body, and whether the server named its length.
    private var have: [Int64] = []
    private var end: [Int64?] = []
    private var isUpload = false

    init(isAccurate: Bool) {
        run = QueueRun {
            $0.mode = isAccurate ? .accurate : .simple
            $0.slots = 9
            $0.perHost = 9
        }
    }

    var bar: String {
        guard isUpload else { return run.bar }
        return "\(run.queue.uploads.completed)/\(run.queue.uploads.total)"
    }

    var isWhole: Bool { run.queue.fraction(of: isUpload ? .up : .down).value == 1 }

    mutating func apply(_ move: Move) {
        switch move {
        case .add(let part, let total):
            have.append(part)
            end.append(nil)
            if part > 0 { run.add(kept: part, of: total) } else { run.add(1) }
        case .addUpload(let size):
            isUpload = true
            have.append(0)
            end.append(size)
            run.add(.sample(direction: .up))
            run.report(have.count, .sent(.zero, of: ByteCount(size)))
        case .sized(let number, let length, let status): run.size(number, (200...299).contains(status) ? length : nil)
        case .opened(let number, let length, let status): open(number, length, status)
        case .read(let number, let bytes): read(number, bytes)
        case .done(let number): run.finish(number, with: have[number - 1])
        case .failed(let number): run.fail(number, .httpStatus(404))
        case .lost(let number, _):
            run.fail(number, kept: have[number - 1])
            run.wait(.seconds(2))
        case .refused(let number, let status, _):
            // The part is complete: nothing is written, the file is checked and renamed.
            if status == 416 { run.finish(number, with: have[number - 1]) }
        case .sent(let number, let bytes):
            run.report(number, .sent(ByteCount(bytes), of: nil))
            have[number - 1] = bytes
            if bytes == end[number - 1] { run.report(number, .bodyEnded(size: ByteCount(bytes))) }
        case .unsent(let number): run.report(number, .unsent(downTo: .zero))
        case .replied(let number):
            run.report(number, .finished(.saved(path: "file"), size: ByteCount(have[number - 1])))
        case .cancel(let number): run.command(.cancel([TransferID(number)]))
        case .cancelAll: run.command(.cancel((1...have.count).map { TransferID($0) }))
        case .late(let number, let bytes):
            run.report(number, .moving(to: have[number - 1] + bytes), of: .sample(number))
        case .look: break
        }
    }

    private mutating func open(_ number: Int, _ length: Int64?, _ status: Int) {
        let offset = status == 206 ? have[number - 1] : 0
        let startedOver = have[number - 1] > offset
        have[number - 1] = offset
        end[number - 1] = length.map { $0 + offset }
        run.open(
            number, at: offset, of: end[number - 1], status: status, startedOver: startedOver ? .rangeIgnored : nil)
    }

    private mutating func read(_ number: Int, _ bytes: Int64) {
        have[number - 1] += bytes
        run.move(number, to: have[number - 1])
    }
}
