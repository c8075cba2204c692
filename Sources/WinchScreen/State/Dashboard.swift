public import WinchCore

/// The screen's whole state: a plain value. Events go in, actions come out; what it draws follows from it, the board and
/// the instant alone.
public struct Dashboard: Sendable {
    let title: String
    var look: Look
    var leavesWhenSettled: Bool
    let keyMap: KeyMap
    var columns: Int
    var rows: Int
    var mode = Mode.normal
    var list = RowList()
    var selection = Selection()
    var tags: TransferSet = []
    var lastClick: Click?
    var isMouseOn = true
    var notice: Notice?
    var slots = Wish<Int>()
    var rateLimit = Wish<ByteRate?>()
    /// Bars in view, and the queue's; no others cost anything.
    var motions: [TransferID: BarMotion] = [:]
    var queueMotion: BarMotion?
    /// The queue's counting that `queueMotion` was made for.
    var queueMode = ProgressMode.accurate
    /// The largest id of the updates before this one: a row beyond it is new.
    var newest: TransferID?
    /// Settled transfers when last looked.
    var settled = 0
    /// What `t` goes through: those that are built in, and the person's own.
    let themes: [Theme]
    var settingsList: SettingsList
    /// The values that look and list began with: a terminal without colours begins with mono, whatever the settings say.
    var started: [LiveSetting: String] = [:]
    let wallClock: WallClock
    /// The terminal shows more than ASCII.
    let canShowUnicode: Bool
    var journal = Journal()
    private var scribe = EventScribe()
    /// Lines typed after `:`, the latest last.
    var history: [String] = []
    /// What the path at the end of the line being typed may become.
    var completion: PathCompletion?
    /// What the small graphs of rows are drawn from.
    var rates = RowRates()
    /// Rows and totals as they are shown.
    var figures = HeldFigures()
    /// What `b` can undo although the engine has not said so yet.
    var promise: UndoPromise?
    /// The columns of the table that the user wants.
    var columnChoice = ColumnChoice.automatic
    var isDetailsOpen = false
    /// Lines of the details that are scrolled away.
    var detailsTop = 0
    /// What waits for details that have been asked for.
    var awaited: Awaited?
    /// Whose details the engine was asked for.
    var watched: TransferID?
    /// Questions from outside that are not answered yet, the oldest first.
    var inquiries: [Inquiry] = []
    /// Those of them that come from failed transfers.
    var asks = Asks()
    /// When the user last answered one: transfers that had failed are about to start again.
    var answeredAt: Moment?
    /// Since when all is settled.
    var settledSince: Moment?

    /// - Parameters:
    ///   - themes: what a person may change to.
    ///   - settings: every option with its value and origin.
    ///   - canShowUnicode: the terminal shows more than ASCII; `nil`: as `look` has it.
    ///   - keys: the key map with the person's own choices.
    ///   - sort: the order of the rows at the start, as `SettingText` takes it.
    ///   - columnChoice: the table's columns at the start.
    ///   - isMouseOn: the terminal sends what the mouse does.
    public init(
        title: String, look: Look, columns: Int, rows: Int, leavesWhenSettled: Bool = false,
        themes: [Theme] = Theme.builtIn, settings: SettingsList = SettingsList(), wallClock: WallClock = WallClock(),
        canShowUnicode: Bool? = nil, keys: KeyChoices = KeyChoices(), isMouseOn: Bool = true,
        sort: String = "queue", columnChoice: ColumnChoice = .automatic
    ) {
        self.isMouseOn = isMouseOn
        keyMap = keys.keyMap
        self.themes = themes
        settingsList = settings
        self.wallClock = wallClock
        self.canShowUnicode = canShowUnicode ?? !look.isASCII
        self.title = title
        self.look = look
        self.columns = Self.sane(columns)
        self.rows = Self.sane(rows)
        self.leavesWhenSettled = leavesWhenSettled
        self.columnChoice = columnChoice
        if let sort = RowSort(text: sort) { list.sort(sort, Board(), at: Moment(nanoseconds: 0)) }
        for live in LiveSetting.allCases { started[live] = value(of: live, board: Board()) }
    }

    /// Event in, actions out; the only way the state changes.
    public mutating func handle(_ event: ScreenEvent, board: Board, at now: Moment) -> [ScreenAction] {
        var actions: [ScreenAction] = []
        var fresh: ClosedRange<TransferID>?
        switch event {
        case .key(let key): actions = press(key, board: board, now: now)
        case .interrupt: actions = interrupt(board: board)
        case .resized(let columns, let rows): (self.columns, self.rows) = (Self.sane(columns), Self.sane(rows))
        case .updated(let update):
            fresh = take(update, board: board, now: now)
            actions = arrived(board: board, now: now)
        case .notice(let words):
            notice = Notice(words, now: now)
            journal.append([LogEntry(at: now, subject: .said(words, .info))])
        case .problems(let problems):
            let short = problems.map(Self.withoutFolder)
            notice = Notice(problems: short)
            journal.append(short.map { LogEntry(at: now, subject: .said($0, .warning)) })
        case .saved(let words, let lines):
            notice = Notice(words, now: now)
            settingsList.note(lines)
        case .inquiry(let inquiry): inquiries.append(inquiry)
        case .inquiryWithdrawn(let id): withdraw(id)
        case .added(let words, let problems): tell(added: words, problems: problems.map(Self.withoutFolder), now: now)
        case .paths(let listing): take(listing)
        case .tick, .redraw: break
        }
        settle(board: board, fresh: fresh, now: now)
        actions += watch(board: board)
        return actions + leaving(board: board, now: now)
    }

    /// A problem with its file's name alone: whoever reads it has written the file, and has little room.
    private static func withoutFolder(_ problem: String) -> String {
        let place = problem.prefix { $0 != ":" }
        guard let slash = place.lastIndex(of: "/") else { return problem }
        return String(problem[problem.index(after: slash)...])
    }

    /// Draws all of it. Pure: same state, board and instant give the same canvas.
    public func draw(board: Board, at now: Moment) -> Canvas {
        Frame(state: self, board: board, now: now).draw()
    }

    var layout: ScreenLayout { ScreenLayout(columns: columns, rows: rows) }

    /// The transfers whose rows are in view.
    func visible(_ board: Board) -> ArraySlice<TransferID> {
        list.order.dropFirst(selection.top).prefix(layout.table.count)
    }

    /// A terminal has at most a few hundred of each; a wrong report must not fill the memory.
    private static func sane(_ size: Int) -> Int { min(max(size, 0), 2000) }
}

extension Dashboard {
    /// Notes what an update means beyond the board; returns the ids that it brought in, if there were others before.
    private mutating func take(_ update: Update, board: Board, now: Moment) -> ClosedRange<TransferID>? {
        journal.append(scribe.entries(for: update, atMost: Journal.most))
        noteAsks(update)
        list.take(update, board, at: now)
        tell(update.addedAgain, board: board, now: now)
        rates.take(update)
        if !tags.isEmpty { for id in update.removed where board[id] == nil { tags.remove(id) } }
        if update.order != nil || update.totals.settled < settled { selection.searchAnew() }
        settled = update.totals.settled
        guard let largest = update.rows.keys.max() else { return nil }
        defer { newest = max(newest ?? largest, largest) }
        guard let newest, newest < largest else { return nil }
        return TransferID(newest.number + 1)...largest
    }

    /// Brings all that hangs on the board in line with it.
    private mutating func settle(board: Board, fresh: ClosedRange<TransferID>?, now: Moment) {
        let height = layout.table.count
        list.catchUp(board, at: now)
        selection.settle(in: list.order, height: height)
        if list.isQueue { selection.follow(board, height: height) }
        moveBars(board: board, fresh: fresh, now: now)
        figures.follow(visible(board), board, at: now)
        if let until = notice?.until, now >= until { notice = nil }
        if case .question(.cancel(let ids)) = mode, ids.allSatisfy({ board[$0]?.phase.isSettled ?? true }) {
            mode = .normal
            notice = Notice("It has finished meanwhile", now: now)
        }
        if let watched = awaited?.id, board[watched] == nil { awaited = nil }
        if selection.id == nil { isDetailsOpen = false }
        if case .editing(let id, _) = mode, board[id] == nil { mode = .normal }
        if case .help(let top) = mode { mode = .help(top: min(top, helpPanel.lastTop)) }
        askNextInquiry()
        settledSince = board.totals.count > 0 && board.totals.allSettled ? settledSince ?? now : nil
    }

    private mutating func moveBars(board: Board, fresh: ClosedRange<TransferID>?, now: Moment) {
        var kept: [TransferID: BarMotion] = [:]
        for id in visible(board) {
            guard let row = board[id] else { continue }
            if var motion = motions[id] {
                motion.follow(row.barReading, isAnimated: look.isAnimated, now: now)
                kept[id] = motion
            } else {
                let isFresh = look.isAnimated && fresh?.contains(id) ?? false
                kept[id] = BarMotion(at: row.barReading, isFresh: isFresh, now: now)
            }
        }
        motions = kept

        let reading = board.totals.barReading
        if var motion = queueMotion, queueMode == board.totals.mode || motion.isNews(reading.rebase) {
            motion.follow(reading, isAnimated: look.isAnimated, now: now)
            queueMotion = motion
        } else {
            queueMotion = BarMotion(at: reading, now: now)
        }
        queueMode = board.totals.mode
    }

    /// Leaves by itself when asked to, once the last finish has been shown.
    private mutating func leaving(board: Board, now: Moment) -> [ScreenAction] {
        guard let due = leavesAt, now >= due else { return [] }
        mode = .leaving
        return [.leave]
    }

    /// When the dashboard leaves by itself; `nil` as long as something is unsettled or being typed or read.
    var leavesAt: Moment? {
        guard leavesWhenSettled, inquiries.isEmpty, let settledSince else { return nil }
        switch mode {
        case .normal, .question:
            let end = settledSince + (look.isAnimated ? Self.finale : .zero)
            return answeredAt.map { max(end, $0 + Self.restart) } ?? end
        case .prompt, .filter, .limit, .command, .editing, .secret, .log, .settings, .columns, .panelKeys, .help,
            .leaving:
            return nil
        }
    }

    /// Sooner than this the engine starts again what an answer was for.
    private static let restart = Duration.seconds(2)
    /// Fill and hold of the last bars.
    private static let finale = Duration.milliseconds(500)
}
