/// What a mouse did, at a cell counted from 0. Other buttons, and moving, mean nothing here.
public enum Mouse: Hashable, Sendable {
    case click(column: Int, row: Int)
    case wheelUp, wheelDown
}
