import CTransport
import WinchModel

/// Lines in libcurl's own list, which must live as long as a handle may use it.
final class LineList {
    /// The head of the list; `nil` for none.
    private(set) var first: OpaquePointer?

    init(_ lines: [String]) {
        for line in lines {
            if let longer = winch_list_append(first, line.cBytes) { first = longer }
        }
    }

    deinit { winch_list_free(first) }
}
