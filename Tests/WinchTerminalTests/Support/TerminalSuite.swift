import Glibc
import Testing

/// All tests that use ncurses. Its state is global to the process, so the tests run one after another.
@Suite(.serialized) struct `The terminal` {
    /// Makes the tests independent of the locale of the environment.
    static func useUTF8() {
        setenv("LC_ALL", "C.UTF-8", 1)
        setlocale(LC_CTYPE, "C.UTF-8")
    }
}
