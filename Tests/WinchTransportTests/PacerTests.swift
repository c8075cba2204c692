import Testing
import WinchCore

@testable import WinchTransport

@Suite struct `A limited transfer` {
    @Test func `may go on once time has paid for what came`() {
        let start = Moment(seconds: 100)
        var pacer = Pacer(limit: ByteRate(perSecond: 1000), at: start)
        #expect(pacer.release(at: start) == nil)
        pacer.take(500, at: start)
        #expect(pacer.release(at: start) == start + .seconds(0.5))
        #expect(pacer.release(at: start + .seconds(0.25)) == start + .seconds(0.5))
        #expect(pacer.release(at: start + .seconds(0.5)) == nil)
    }

    @Test func `saves nothing up while it is idle`() {
        let start = Moment(seconds: 100)
        var pacer = Pacer(limit: ByteRate(perSecond: 1000), at: start)
        pacer.take(1000, at: start + .seconds(60))
        #expect(pacer.release(at: start + .seconds(60)) == start + .seconds(61))
    }

    @Test func `keeps the limit over any number of pieces`() {
        var now = Moment(seconds: 0)
        var pacer = Pacer(limit: ByteRate(perSecond: 50_000), at: now)
        for _ in 0..<100 {
            now = pacer.release(at: now) ?? now
            pacer.take(16_384, at: now)
        }
        #expect(abs((now - Moment(seconds: 0)).seconds - 99 * 16_384 / 50_000) < 0.001)
    }

    @Test func `is free when the limit is lifted, and held when it is set`() {
        let start = Moment(seconds: 0)
        var pacer = Pacer(limit: ByteRate(perSecond: 10), at: start)
        pacer.take(1000, at: start)
        pacer.limit = nil
        #expect(pacer.release(at: start) == nil)
        pacer.take(1_000_000, at: start)
        pacer.limit = ByteRate(perSecond: 10)
        #expect(pacer.release(at: start + .seconds(100)) == nil, "what came without a limit is no debt")
    }
}
