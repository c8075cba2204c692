import WinchModel

@testable import WinchProgress

extension ChunkMap {
    /// A file of 64 MiB whose first connection has moved for a second.
    static func running(rate: Int64 = 4 << 20) -> (map: ChunkMap, now: Moment) {
        let start = Moment(seconds: 100)
        var map = ChunkMap(total: 64 << 20)
        _ = map.assign(1, isOpenEnded: true, at: start)
        var now = start
        for step in 1...50 {
            now = start + .milliseconds(20 * step)
            map.moved(1, through: rate / 50 * Int64(step), at: now)
        }
        return (map, now)
    }
}
