/// A mouse event; cells are counted from 0. Other buttons and motion are not reported.
package enum Mouse: Hashable, Sendable {
    case click(column: Int, row: Int)
    case wheelUp, wheelDown
}
