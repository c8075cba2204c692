import CTerminal
import Glibc

/// Columns as the C library has them, which is how ncurses places characters.
enum CharacterWidth {
    private static let isReady = setlocale(LC_CTYPE, "C.UTF-8") != nil

    @Sendable static func columns(_ scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x7F else { return 1 }
        return isReady ? max(0, Int(winch_columns(scalar.value))) : 1
    }
}
