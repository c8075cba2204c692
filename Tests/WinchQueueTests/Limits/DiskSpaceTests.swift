import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The free space of the disks` {
    private let now = Moment(seconds: 100)
    private let mebibyte: Int64 = 1 << 20

    private func need(_ number: Int, _ mebibytes: Int64, isMoving: Bool = false) -> DiskSpace.Need {
        DiskSpace.Need(
            id: TransferID(number), rank: number, bytes: mebibytes * mebibyte, size: ByteCount(mebibytes * mebibyte),
            isMoving: isMoving)
    }

    /// One disk with this much free space beyond the reserve of 16 MiB.
    private func disks(free mebibytes: Int64) -> DiskSpace {
        var disks = DiskSpace()
        _ = disks.start(in: "a", at: now)
        let reading = DiskSpaceReading(
            device: 1, free: ByteCount((mebibytes + 16) * mebibyte), size: ByteCount(1 << 40))
        _ = disks.take(reading, for: "a", at: now)
        return disks
    }

    @Test func `is queried when a transfer starts, once for each folder until the answer`() {
        var disks = DiskSpace()
        let asks = [disks.start(in: "a", at: now).asks, disks.start(in: "a", at: now).asks]
        expectEqual(asks, [true, false])
        _ = disks.take(nil, for: "a", at: now)
        let later = [
            disks.start(in: "a", at: now + .seconds(1)).asks, disks.start(in: "a", at: now + DiskSpace.freshFor).asks,
        ]
        expectEqual(later, [false, true])
    }

    @Test func `suffices for a file only in addition to what other transfers will write`() {
        let disks = disks(free: 10)
        expect(disks.hasSpace(for: need(1, 10), on: 0, committed: 0))
        expect(!disks.hasSpace(for: need(1, 10), on: 0, committed: disks.committed([need(2, 1)], on: 0)))
    }

    /// It fails, and another transfer need not wait for that.
    @Test func `is not committed to a file that is larger than the disk`() {
        let disks = disks(free: 10)
        let large = need(2, 1 << 21, isMoving: true)
        expectEqual(disks.committed([large, need(3, 1)], on: 0), mebibyte)
        expectEqual(disks.excess(on: 0, of: [large, need(3, 11, isMoving: true)]), [TransferID(3)])
    }

    @Test func `includes a reserve for other programs, which is smaller on a small disk`() {
        let reserves = [mebibyte, 1 << 40].map { size in
            DiskSpaceReading(device: 1, free: .zero, size: ByteCount(size)).reserve
        }
        expectEqual(reserves, [mebibyte / 100, 16 * mebibyte])
    }

    @Test func `is reduced by what was written since the reading`() {
        var disks = disks(free: 10)
        disks.wrote(3 * mebibyte, on: 0)
        expect(!disks.hasSpace(for: need(1, 8), on: 0, committed: 0))
        expect(disks.hasSpace(for: need(1, 7), on: 0, committed: 0))
    }

    @Test func `lets the waiting transfers that fit continue, in queue order`() {
        var disks = disks(free: 10)
        let waiting = [need(3, 1), need(1, 6), need(2, 9)]
        for need in waiting { disks.wait(need.id, on: 0) }
        let released = disks.release(on: 0, waiting: waiting, committed: 0, at: now)
        expectEqual(released.map(\.number), [1, 3])
        expectEqual(disks.waiting(on: 0), [TransferID(2)])
    }

    @Test func `stops the last moving transfers when it becomes too small`() {
        let disks = disks(free: 10)
        let running = [need(1, 6, isMoving: true), need(2, 5, isMoving: true), need(3, 4, isMoving: true)]
        expectEqual(disks.excess(on: 0, of: running), [TransferID(2)])
        expect(disks.excess(on: 0, of: [running[0], running[2]]).isEmpty)
    }

    @Test func `is tried again after a failed write, later each time`() {
        var disks = disks(free: 10)
        let one = TransferID(1)
        _ = disks.foundFull(one, in: "a", disk: 0, at: now)
        let early = disks.release(on: 0, waiting: [need(1, 1)], committed: 0, at: now + .seconds(2))
        let due = disks.release(on: 0, waiting: [need(1, 1)], committed: 0, at: now + .seconds(3))
        expect(early == [] && due == [one])
        _ = disks.foundFull(one, in: "a", disk: 0, at: now)
        let second = disks.release(on: 0, waiting: [need(1, 1)], committed: 0, at: now + .seconds(5))
        expectEqual(second, [])
    }

    @Test func `is shared by folders once an answer shows that they are on one disk`() {
        var disks = disks(free: 10)
        let (b, _) = disks.start(in: "b", at: now)
        disks.wait(TransferID(1), on: b)
        let answer = disks.take(DiskSpaceReading(device: 1, free: .zero, size: ByteCount(1 << 40)), for: "b", at: now)
        expect(answer?.disk == 0 && answer?.old == b && disks.disk(of: "b") == 0)
        disks.moveWaiting([TransferID(1)], from: b, to: 0)
        expect(disks.waiting(on: 0) == [TransferID(1)] && disks.waiting(on: b).isEmpty)
    }

    @Test func `is remembered for each disk, not for each folder of a long session`() {
        var disks = disks(free: 10)
        for folder in (1...2 * DiskSpace.mostFolders).map(String.init) {
            _ = disks.start(in: folder, at: now)
            let reading = DiskSpaceReading(device: 1, free: .zero, size: ByteCount(1 << 40))
            expectEqual(disks.take(reading, for: folder, at: now)?.disk, 0)
        }
        expectEqual(disks.counts.disks, 2)
        expectAtMost(disks.counts.folders, DiskSpace.mostFolders)
        expectEqual(disks.disk(of: "a"), 0)
    }
}
