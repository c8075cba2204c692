import Foundation

/// Replays a trace of arriving bytes from standard input and prints the figures of its row for each quarter of a second.
///
///     winch-replay [--frames N] < TRACE       --frames: reads a second; must not change the output
///     winch-replay --bench                    measures the cost of a sample
@main
enum Main {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.dropFirst().first.flatMap { Int64($0) }) {
        case (nil, _):
            replay(frames: 4)
        case ("--frames", let frames?) where frames > 0 && arguments.count == 2:
            replay(frames: frames)
        case ("--bench", _) where arguments.count == 1:
            print(Cost().report)
        default:
            complain("usage: winch-replay [--frames N] < TRACE, or winch-replay --bench")
        }
    }

    private static func replay(frames: Int64) {
        do throws(Replay.Malformed) {
            let replay = try Replay(sequence(state: ()) { _ in readLine() })
            print(replay.samples(frames: frames).map(\.text).joined(separator: "\n"))
        } catch {
            complain(error.description)
        }
    }

    private static func complain(_ text: String) -> Never {
        FileHandle.standardError.write(Data("winch-replay: \(text)\n".utf8))
        exit(2)
    }
}
