/// All keys with their descriptions, from the current key map, in a box over the table.
struct HelpPanel {
    private enum Line: Hashable {
        case heading(String)
        case key(String, String)
        case blank
    }

    /// The lines in blocks side by side, as many blocks as fit.
    private let blocks: [[Line]]
    private let layout: ScreenLayout
    private let columns: Int
    private let look: Appearance
    /// Lines of keys in view.
    let height: Int

    init(_ state: Dashboard) {
        let look = state.look
        (layout, columns, self.look) = (state.layout, state.columns, look)
        height = max(0, layout.panelEnd - layout.panelTop - 2)
        let groups = KeyMap.Group.allCases.map { group in
            [Line.heading(group.rawValue)]
                + state.bindings(of: group).map { binding in
                    .key(binding.keys.map { $0.name(isASCII: look.isASCII) }.joined(separator: " "), binding.words)
                }
        }
        blocks = Self.arranged(groups, in: max(1, (columns - 3) / Self.blockWidth))
    }

    var lastTop: Int { max(0, (blocks.map(\.count).max() ?? 0) - height) }

    func draw(on canvas: inout Canvas, top: Int) {
        guard layout.form != .line else { return }
        // The whole width and height: rows of the table beside it would be taken for a part of it.
        let between = max(Self.blockWidth, (columns - 3) / max(1, blocks.count))
        let place = lastTop > 0 ? "\(top + 1)/\(lastTop + 1)" : ""
        canvas.mark(nil, column: 0, row: 0, columns: canvas.columns, rows: layout.footer)
        PanelBox(look: look, column: 0, row: layout.panelTop, columns: columns, rows: height + 2)
            .draw(
                on: &canvas, title: [Run(look.text("Keys"), look.theme.title)],
                note: place.isEmpty ? [] : [Run(look.text(place), look.theme.quiet)])
        for (index, block) in blocks.enumerated() {
            let column = 2 + index * between
            for (offset, line) in block.dropFirst(top).prefix(height).enumerated() {
                draw(line, on: &canvas, column: column, row: layout.panelTop + 1 + offset, end: columns - 1)
            }
        }
    }

    private func draw(_ line: Line, on canvas: inout Canvas, column: Int, row: Int, end: Int) {
        let width = min(Self.blockWidth - 2, end - column)
        switch line {
        case .heading(let words):
            canvas.write(look.text(words), look.theme.title, column: column, row: row, width: width)
        case .key(let keys, let words):
            canvas.write(
                look.text(keys), look.theme.key, column: column, row: row, width: min(Self.keyWidth - 1, width))
            canvas.write(
                look.text(words), look.theme.text, column: column + Self.keyWidth, row: row,
                width: width - Self.keyWidth)
        case .blank: break
        }
    }

    /// Distributes the groups to at most `count` blocks of about the same height.
    private static func arranged(_ groups: [[Line]], in count: Int) -> [[Line]] {
        func joined(_ groups: ArraySlice<[Line]>) -> [Line] { Array(groups.joined(separator: [.blank])) }
        guard count > 1, groups.count > 1 else { return [joined(groups[...])] }
        let splits = (1..<groups.count).map { place in
            [joined(groups[..<place])] + arranged(Array(groups[place...]), in: count - 1)
        }
        func height(_ blocks: [[Line]]) -> Int { blocks.map(\.count).max() ?? 0 }
        return splits.min { height($0) < height($1) } ?? []
    }

    /// Width of the longest keys, `Ctrl-C` or `g Home`, and a blank.
    static let keyWidth = 8
    /// Longest description of a key. With 28 columns two blocks fit into 80 columns, with two blanks between them.
    static let wordsWidth = 28
    static let blockWidth = keyWidth + wordsWidth + 2
}

extension Dashboard {
    var helpPanel: HelpPanel { HelpPanel(self) }

    /// The keys of a group that this dashboard has.
    func bindings(of group: KeyMap.Group) -> [KeyMap.Binding] {
        keyMap.bindings(of: group, isAttached: isAttached, isFleet: fleet != nil)
    }
}
