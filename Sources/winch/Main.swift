import WinchTerminal

/// The entry. Synchronous, so that the face has the real main thread.
@main
enum Main {
    static func main() {
        // Before any other thread exists: threads inherit the mask, and only the face's poll may see these signals.
        SignalGate.close()
        WinchCommand.main()
    }
}
