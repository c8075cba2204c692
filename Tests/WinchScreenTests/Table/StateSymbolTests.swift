import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The symbol of a row's state` {
    @Test(
        arguments: [
            (.waiting(.slot), .down, "·", "."), (.waiting(.held), .up, "·", "."), (.connecting, .down, "○", "o"),
            (.requested, .down, "○", "o"), (.moving, .down, "↓", "v"), (.moving, .up, "↑", "^"),
            (.paused, .down, "‖", "="), (.replying, .up, "○", "o"), (.verifying, .down, "○", "o"),
            (.backoff(until: .at(9), attempt: 2, limit: 5, failure: .httpStatus(503)), .down, "↻", "@"),
            (.finished(.saved(path: "a")), .down, "✓", "+"), (.finished(.skipped(path: "a")), .down, "✓", "+"),
            (.failed(.httpStatus(404)), .down, "✗", "x"), (.cancelled, .down, "–", "-"),
        ] as [(TransferPhase, Direction, Character, Character)])
    func `tells what the transfer does`(
        phase: TransferPhase, direction: Direction, unicode: Character, ascii: Character
    ) {
        let symbol = StateSymbol(phase, direction)
        expectEqual(symbol.character(isASCII: false), unicode)
        expectEqual(symbol.character(isASCII: true), ascii)
    }

    @Test(arguments: [false, true])
    func `differs for every state, without colour too`(isASCII: Bool) {
        expectEqual(Set(StateSymbol.allCases.map { $0.character(isASCII: isASCII) }).count, StateSymbol.allCases.count)
    }
}
