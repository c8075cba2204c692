package import WinchModel

/// The screen's whole state, a plain value: events go in, actions come out. A frame depends on this value, the board
/// and the instant only.
package struct Dashboard: Sendable {
    let title: String
    var look: Appearance
    var quitsWhenSettled: Bool
    /// The queue is that of a session, which goes on without this dashboard.
    package var isAttached = false
    /// What the header calls that session besides "session": its host or name; empty: nothing.
    package var sessionName = ""
    /// The folder that relative target folders are in; `nil`: they are shown as they are given.
    package var workingFolder: WorkingFolder?
    /// The machines of a fleet, and which of them has which row; `nil`: the queue is that of one machine.
    package var fleet: FleetView?
    /// The connection to the session is lost, and this is what the user is told; `nil`: it is there.
    var lostConnection: String?
    let keyMap: KeyMap
    var columns: Int
    var rows: Int
    var mode = Mode.normal
    var list = RowList()
    var selection = Selection()
    var tagged = TaggedRows()
    /// The last click on a row, to recognize a double click.
    var lastClick: (id: TransferID, at: Moment)?
    var isMouseOn = true
    var notice: Notice?
    /// Keys are ignored until then: they were typed before a dialog or a line has opened or closed by itself.
    var ignoresKeysUntil: Moment?
    var slots = PendingValue<Int>()
    var rateLimit = PendingValue<ByteRate?>()
    var uploadLimit = PendingValue<ByteRate?>()
    /// The motions of the bars in view; bars out of view have none.
    var motions: [TransferID: BarAnimation] = [:]
    var queueMotion: BarAnimation?
    /// The queue's progress mode that `queueMotion` was made for.
    var queueMode = ProgressMode.accurate
    /// The largest id in the updates so far: a row with a larger id is new.
    var newest: TransferID?
    /// Number of settled transfers in the last update.
    var settled = 0
    /// The last update came while a batch was being read.
    private var isReading = false
    /// The themes that `t` cycles through: the built-in ones and the user's own.
    let themes: [Theme]
    var settingsList: SettingsList
    /// The values at the start. They may differ from the configured ones: a terminal without colours starts with the
    /// theme mono.
    var started: [LiveSetting: String] = [:]
    let wallClock: WallClock
    let canShowUnicode: Bool
    var journal = LogPanelEntries()
    private var logBuilder = LogEntryBuilder()
    /// Lines typed after `:`, the latest last.
    var history: [String] = []
    /// The completion of the path at the end of the line being typed.
    var completion: PathCompletion?
    var rates = RowGraphRates()
    /// Rows and totals with the figures that are shown, which change at most twice a second.
    var figures = FigureRefresh()
    /// The last commands that `b` can undo, the latest last.
    var promises: [UndoPromise] = []
    var columnChoice = ColumnChoice.automatic
    /// Whether the user wants the rows grouped by folder.
    var grouping = ListGrouping.auto
    private(set) var folders = SeenFolders()
    var isDetailsOpen = false
    /// Number of lines scrolled off the top of the details.
    var detailsTop = 0
    var awaited: Awaited?
    /// The transfer whose details were requested from the engine.
    var watched: TransferID?
    /// Inquiries that are not answered yet, the oldest first.
    var inquiries: [UserQuestion] = []
    /// The questions of failed transfers behind the inquiries.
    var asks = FailureQuestions()
    /// The transfers that failed only because such a question is open.
    var awaitingAnswer = AwaitingAnswer()
    /// When the user last answered a question of a failed transfer: transfers are about to start again.
    var answeredAt: Moment?
    /// Until when transfers that the last answer starts again may still be reported as failed; `nil`: it starts none.
    var restartsUntil: Moment?
    /// Something that is shown has changed since `frameWasDrawn`. Changes that time brings do not count: `nextFrame` tells when they
    /// are to be drawn.
    package internal(set) var hasNews = true
    /// Since when all transfers are settled; `nil` while any is not, or without transfers.
    var settledSince: Moment?

    /// - Parameters:
    ///   - canShowUnicode: `nil`: taken from `look`.
    ///   - sort: the order of the rows at the start, as a value of the option `sort`.
    package init(
        title: String, look: Appearance, columns: Int, rows: Int, quitsWhenSettled: Bool = false,
        themes: [Theme] = Theme.builtIn, settings: SettingsList = SettingsList(), wallClock: WallClock = WallClock(),
        canShowUnicode: Bool? = nil, keys: UserKeyBindings = UserKeyBindings(), isMouseOn: Bool = true,
        sort: String = "queue", columnChoice: ColumnChoice = .automatic, grouping: ListGrouping = .auto
    ) {
        self.isMouseOn = isMouseOn
        keyMap = keys.keyMap
        self.themes = themes
        settingsList = settings
        self.wallClock = wallClock
        self.canShowUnicode = canShowUnicode ?? !look.isASCII
        self.title = title
        self.look = look
        self.columns = Self.clamped(columns)
        self.rows = Self.clamped(rows)
        self.quitsWhenSettled = quitsWhenSettled
        self.columnChoice = columnChoice
        self.grouping = grouping
        list.group(grouping.isOn(QueueTotals()), showing: nil, QueueCopy(), at: Moment(nanoseconds: 0))
        if let sort = RowSort(text: sort) { list.sort(sort, QueueCopy(), at: Moment(nanoseconds: 0)) }
        for live in LiveSetting.allCases { started[live] = value(of: live, board: QueueCopy()) }
    }

    /// Applies an event and returns the actions that it causes; the only way to change the state.
    package mutating func handle(_ event: ScreenEvent, board: QueueCopy, at now: Moment) -> [ScreenAction] {
        var actions: [ScreenAction] = []
        var fresh: ClosedRange<TransferID>?
        switch event {
        case .key(let key): actions = press(key, board: board, now: now)
        case .interrupt: actions = interrupt(board: board)
        case .resized(let columns, let rows): (self.columns, self.rows) = (Self.clamped(columns), Self.clamped(rows))
        case .updated(let update):
            folders.follow(update)
            fresh = take(update, board: board, now: now)
            actions = arrived(board: board, now: now)
        case .notice(let words):
            notice = Notice(words, now: now)
            journal.append([LogEntry(at: now, subject: .userMessage(words, .info))])
        case .problems(let problems):
            let short = problems.map(Self.withoutFolder)
            notice = Notice(problems: short)
            journal.append(short.map { LogEntry(at: now, subject: .userMessage($0, .warning)) })
        case .saved(let words, let lines):
            notice = Notice(words, now: now)
            settingsList.note(lines)
        case .added(let words, let problems):
            announce(added: words, problems: problems.map(Self.withoutFolder), now: now)
        case .connectionLost(let words):
            lostConnection = words
            let message = words ?? "Connected again"
            if words == nil { notice = Notice(message, now: now) }
            journal.append([LogEntry(at: now, subject: .userMessage(message, words == nil ? .info : .warning))])
        case .paths(let listing): take(listing)
        case .handOverPlanned(let options): actions = handOver(without: options, board: board)
        case .fleet(let view): fleet = view
        case .logged(let entries): journal.merge(entries)
        case .tick, .redraw: break
        }
        settle(board: board, fresh: fresh, now: now)
        if !isQuiet(event) { hasNews = true }
        actions += watch(board: board)
        return actions + quitting(board: board, now: now)
    }

    /// The problem with its file's name instead of its path: a notice is short, and the user knows the folder.
    private static func withoutFolder(_ problem: String) -> String {
        let place = problem.prefix { $0 != ":" }
        guard let slash = place.lastIndex(of: "/") else { return problem }
        return String(problem[problem.index(after: slash)...])
    }

    /// Draws the whole screen. Pure: the same state, board and instant give the same canvas.
    package func draw(board: QueueCopy, at now: Moment) -> Canvas {
        Frame(state: self, board: board, now: now).draw()
    }

    /// The totals with the transfers that wait for an answer of the user among the waiting ones: the queue counts them as failed.
    package func totals(of board: QueueCopy) -> QueueTotals { awaitingAnswer.applied(to: board.totals) }

    package var asking: Int { awaitingAnswer.count }

    /// The name of the session that is shown, which may be empty; `nil`: it is a run of this process, or a fleet.
    var session: String? { isAttached && fleet == nil ? sessionName : nil }

    var layout: ScreenLayout { ScreenLayout(columns: columns, rows: rows, machines: fleet?.machines.count ?? 0) }

    /// What the line of messages shows; `nil`: nothing.
    var message: Notice? { notice ?? lostConnection.map { Notice(lasting: $0) } }

    func visible(_ board: QueueCopy) -> ArraySlice<TransferID> {
        list.order.dropFirst(selection.top).prefix(layout.table.count)
    }

    /// Clamps a number of columns or rows to 0...2000: terminals have a few hundred, and a wrong report must not
    /// exhaust the memory.
    private static func clamped(_ size: Int) -> Int { min(max(size, 0), 2000) }
}

extension Dashboard {
    /// Applies an update, which is on the board already, to the rest of the state.
    ///
    /// - Returns: the ids that the update added; `nil` if it added none, if there were no transfers before, or if they are the
    ///   rest of a batch.
    private mutating func take(_ update: Update, board: QueueCopy, now: Moment) -> ClosedRange<TransferID>? {
        if update.base == nil || !update.log.isEmpty { journal.join(update.log) }
        journal.append(logBuilder.entries(for: update, atMost: LogPanelEntries.most))
        noteAsks(update)
        list.take(update, board, at: now)
        // Grouped by a row that lists a folder, they stay so when it has left the list.
        if list.tree == nil, grouping.isOn(board.totals) { setGrouped(true, board: board, now: now) }
        announce(update.addedAgain, board: board, now: now)
        rates.take(update)
        tagged.follow(update, board)
        let wasReading = isReading
        isReading = update.totals.isReading
        if update.totals.settled < settled { selection.settledBefore = 0 }
        settled = update.totals.settled
        if update.totals.restorable > 0 { for index in promises.indices { promises[index].confirm() } }
        guard let largest = update.rows.keys.max() else { return nil }
        defer { newest = max(newest ?? largest, largest) }
        guard !wasReading, let newest, newest < largest else { return nil }
        return TransferID(newest.number + 1)...largest
    }

    private mutating func settle(board: QueueCopy, fresh: ClosedRange<TransferID>?, now: Moment) {
        let height = layout.table.count
        list.follow(asks, board, at: now)
        list.sortIfDue(board, at: now)
        selection.settle(in: list.order, height: height)
        if list.isInQueueOrder {
            let list = list
            selection.follow(in: list.order, revision: list.revision, height: height) { list.isSettled($0, board) }
        }
        moveBars(board: board, fresh: fresh, now: now)
        let visible = visible(board)
        let folders = list.tree == nil ? [] : visible.compactMap { list.folder($0, board.totals) }
        figures.follow(Array(visible) + folders.compactMap(\.listing), folders: folders, board, at: now)
        if let until = notice?.until, now >= until { notice = nil }
        if case .question(.cancel(let ids)) = mode, ids.allSatisfy({ board[$0]?.phase.isSettled ?? true }) {
            closeByItself(at: now)
            notice = Notice(Self.ended(ids, board), now: now)
        }
        if let watched = awaited?.id, board[watched] == nil { awaited = nil }
        if selection.id == nil { isDetailsOpen = false }
        if case .editing(let id, _) = mode, board[id] == nil { closeByItself(at: now) }
        if case .limit(let ids, _) = mode, !ids.contains(where: { isLimitable($0, board) }) {
            closeByItself(at: now)
            notice = Notice(Self.ended(ids, board), now: now)
        }
        if case .help(let top) = mode { mode = .help(top: min(top, helpPanel.lastTop)) }
        askNextInquiry(at: now)
        awaitingAnswer = asks.isEmpty ? AwaitingAnswer() : AwaitingAnswer(board, asks)
        settledSince = board.totals.hasTransfers && board.totals.allSettled ? settledSince ?? now : nil
    }

    private mutating func moveBars(board: QueueCopy, fresh: ClosedRange<TransferID>?, now: Moment) {
        var kept: [TransferID: BarAnimation] = [:]
        let width = columnLayout[.bar]?.width ?? 0
        for id in visible(board) {
            let folder = list.folder(id, board.totals)
            guard let reading = folder?.barReading(rebase: board.totals.rebase) ?? board[id]?.barReading else {
                continue
            }
            if var motion = motions[id] {
                let marks = motion.marks(width: width, at: now)
                motion.follow(reading, isAnimated: look.isAnimated, now: now)
                // A connection has opened or ended, or works elsewhere in the file: its mark does not move there by itself.
                if motion.marks(width: width, at: now) != marks { hasNews = true }
                kept[id] = motion
            } else {
                let isFresh = look.isAnimated && fresh?.contains(id) ?? false
                kept[id] = BarAnimation(at: reading, isFresh: isFresh, now: now)
            }
        }
        motions = kept

        let reading = board.totals.barReading
        if var motion = queueMotion, queueMode == board.totals.mode || motion.rebase != reading.rebase {
            motion.follow(reading, isAnimated: look.isAnimated, now: now)
            queueMotion = motion
        } else {
            queueMotion = BarAnimation(at: reading, now: now)
        }
        queueMode = board.totals.mode
    }
}

/// Whether files are saved in, or sent from, more than one folder. Those that have left the list count: a column that comes
/// and goes would move all the others.
struct SeenFolders: Hashable, Sendable {
    private var first: String?
    private(set) var areSeveral = false

    mutating func follow(_ update: Update) {
        guard !areSeveral else { return }
        for row in update.rows.values where !row.localFolder.isEmpty || row.direction == .down {
            let first = first ?? row.folder
            self.first = first
            if row.folder != first { areSeveral = true }
        }
    }
}

extension Int {
    /// The number with its noun: `1 download`, `2 downloads`.
    func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
