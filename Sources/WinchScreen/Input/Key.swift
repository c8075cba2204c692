/// A key press, a paste or a mouse event, independent of the bytes that the terminal sent for it.
package enum Key: Hashable, Sendable {
    /// A printable character, with shift already in it.
    case character(Character)
    /// A letter held with Control, lower case.
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 to F12.
    case function(Int)
    /// Text pasted in one piece (bracketed paste).
    case paste(String)
    case mouse(Mouse)
}

/// A mouse event; cells are counted from 0. Other buttons and motion are not reported.
package enum Mouse: Hashable, Sendable {
    case click(column: Int, row: Int)
    case wheelUp, wheelDown
}
