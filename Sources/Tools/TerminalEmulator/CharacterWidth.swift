import CTerminal
import Glibc

/// Columns of a character by the C library, which ncurses uses to place characters.
package enum CharacterWidth {
    private static let isReady = setlocale(LC_CTYPE, "C.UTF-8") != nil

    @Sendable package static func columns(_ scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x7F else { return 1 }
        return isReady ? max(0, Int(winch_columns(scalar.value))) : 1
    }
}
