import Dispatch
import Glibc
import TestSupport
import Testing
import WinchModel

@testable import WinchSession

@Suite(.timeLimit(.minutes(5))) struct `The relay of a remote attachment` {
    /// The ends that a test holds: of the session, and of the client.
    private struct Ends {
        let session: OpenFile
        let toRelay: OpenFile
        let fromRelay: OpenFile
        let hasEnded = DispatchSemaphore(value: 0)

        init(pingInterval: Duration) throws {
            var (pair, input, output) = (
                [Int32](repeating: 0, count: 2), [Int32](repeating: 0, count: 2), [Int32](repeating: 0, count: 2)
            )
            try require(
                socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 && pipe(&input) == 0
                    && pipe(&output) == 0)
            (session, toRelay, fromRelay) = (OpenFile(pair[0]), OpenFile(input[1]), OpenFile(output[0]))
            let (socket, reading, writing, ended) = (
                OpenFile(pair[1]), OpenFile(input[0]), OpenFile(output[1]), hasEnded
            )
            socket.setNonBlocking()
            DispatchQueue.global().async {
                let clock = ContinuousClock()
                let start = clock.now
                StdioRelay(
                    socket: socket, input: reading, output: writing, pingInterval: pingInterval,
                    now: {
                        let span = start.duration(to: clock.now)
                        return Moment(seconds: span / .seconds(1))
                    }
                ).run()
                ended.signal()
            }
        }

        func write(_ text: String, to file: OpenFile) {
            _ = text.withCString { Glibc.write(file.number, $0, strlen($0)) }
        }

        func endInput() {
            let null = open("/dev/null", O_WRONLY)
            dup2(null, toRelay.number)
            close(null)
        }

        func read(_ file: OpenFile) -> String {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(file.number, &buffer, buffer.count)
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }

        /// Reads until the text contains `mark`, or to the end.
        func read(_ file: OpenFile, until mark: String) -> String {
            var text = ""
            while !text.contains(mark) {
                let more = read(file)
                if more.isEmpty { break }
                text += more
            }
            return text
        }
    }

    @Test func `carries lines in both directions`() throws {
        let ends = try Ends(pingInterval: .seconds(60))
        ends.write("question\n", to: ends.toRelay)
        expectEqual(ends.read(ends.session), "question\n")
        ends.write("answer\n", to: ends.session)
        expectEqual(ends.read(ends.fromRelay), "answer\n")
    }

    @Test func `sends a ping between lines only`() throws {
        let ends = try Ends(pingInterval: .milliseconds(20))
        ends.write("half a", to: ends.session)
        expect(ends.read(ends.fromRelay, until: "half a").hasSuffix("half a"))
        // Several pings become due within the line.
        usleep(100_000)
        ends.write(" line\n", to: ends.session)
        expect(ends.read(ends.fromRelay, until: "{\"ping\":").hasPrefix(" line\n{\"ping\":"))
    }

    @Test func `passes on what the session wrote last, and ends with it`() throws {
        let ends = try Ends(pingInterval: .seconds(60))
        ends.write("last\n", to: ends.session)
        shutdown(ends.session.number, Int32(SHUT_RDWR))
        expectEqual(ends.read(ends.fromRelay), "last\n")
        expectEqual(ends.hasEnded.wait(timeout: .now() + .seconds(60)), .success)
    }

    @Test func `brings the answers to what came before the end of the input`() throws {
        let ends = try Ends(pingInterval: .seconds(60))
        ends.write("question\n", to: ends.toRelay)
        ends.endInput()
        expectEqual(ends.read(ends.session), "question\n")
        expectEqual(ends.read(ends.session), "", "the session learns of the end")
        ends.write("answer\n", to: ends.session)
        expectEqual(ends.read(ends.fromRelay), "answer\n")
        shutdown(ends.session.number, Int32(SHUT_RDWR))
        expectEqual(ends.hasEnded.wait(timeout: .now() + .seconds(60)), .success)
    }
}
