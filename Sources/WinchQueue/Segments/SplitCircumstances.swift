package import WinchModel

/// What bounds a transfer's connections at the moment, apart from what was learned of the host.
package struct SplitCircumstances: Hashable, Sendable {
    /// Bytes that are not on disk; `nil`: the size is unknown, and the file is not split.
    package var left: ByteCount?
    /// Connections that the transfer may have now, at least 1: those it has, and the free slots of the host that no waiting
    /// transfer could take.
    package var slots: Int
    /// The most for one file (`--split`), at least 1; `auto` is `SplitController.automatic`. `--per-host` is contained in
    /// `slots`.
    package var ceiling: Int
    /// The user named the ceiling: that many are tried at once, and fewer only if they do not help.
    package var isCeilingGiven = false
    /// A rate limit holds the transfer back: more connections would bring nothing.
    package var isRateLimited = false
    /// Another transfer from the same host is trying a level: two at a time would be taken for each other's gain.
    package var isHostBusy = false
    /// The host has no place for more connections: who has them, for the user.
    package var fullHost: String?

    package init(left: ByteCount?, slots: Int, ceiling: Int = SplitController.automatic) {
        self.left = left
        self.slots = slots
        self.ceiling = ceiling
    }
}
