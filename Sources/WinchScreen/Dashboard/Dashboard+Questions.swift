import WinchModel

extension Dashboard {
    mutating func answer(_ question: Confirmation, with key: Key, board: QueueCopy, now: Moment) -> [ScreenAction] {
        if key == .escape {
            mode = .normal
            guard case .inquiry(let inquiry) = question else { return [] }
            return close(inquiry, .declined, at: now)
        }
        guard case .character(let character) = key, let letter = character.lowercased().first else { return [] }
        switch (question, letter) {
        case (.inquiry(let inquiry), _):
            guard let answer = inquiry.answers.first(where: { $0.key.lowercased().first == letter }) else { return [] }
            mode = .normal
            return close(inquiry, .chosen(answer.key), board: board, at: now)
        case (_, "n"): mode = .normal
        case (.cancel(let ids), "y"): return cancel(ids, board: board, now: now)
        case (.quit, "y"):
            mode = .quitting
            return [.leave]
        case (.background, "y"):
            mode = .normal
            return [.handOver]
        case (.stopSession, "y"):
            mode = .quitting
            return [.stopSession]
        case (.cancel, _), (.quit, _), (.background, _), (.stopSession, _): break
        }
        return []
    }

    /// The transfers that the dialog or the line is about have ended. A key that is typed for it now must not act as a command,
    /// nor answer the next question.
    mutating func closeByItself(at now: Moment) {
        mode = .normal
        ignoresKeysUntil = now + Self.reaction
    }

    /// 1 s: a key that comes sooner after the screen has changed by itself was typed for what was there before.
    private static let reaction = Duration.seconds(1)

    /// What became of transfers, all of which have ended.
    static func ended(_ ids: [TransferID], _ board: QueueCopy) -> String {
        let ends = Set(
            ids.map { id in
                switch board[id]?.phase {
                case .finished?: "finished"
                case .failed?: "failed"
                case .cancelled?: "been cancelled"
                default: "left the list"
                }
            })
        let end = ends.count == 1 ? ends.first : nil
        return "\(ids.count == 1 ? "It has" : "They have") \(end ?? "ended") meanwhile"
    }

    // MARK: Inquiries

    /// Opens a dialog for the oldest inquiry if no prompt, dialog or panel is open. A command key that is typed at that moment must
    /// not answer it.
    mutating func askNextInquiry(at now: Moment) {
        guard mode == .normal, let inquiry = inquiries.first else { return }
        open(inquiry)
        ignoresKeysUntil = now + Self.reaction
    }

    private mutating func open(_ inquiry: UserQuestion) {
        switch inquiry.kind {
        case .choice: mode = .question(.inquiry(inquiry))
        case .secret: mode = .secret(inquiry, Prompt(isMasked: true))
        case .line(let text): mode = .secret(inquiry, Prompt(text: text, isSelected: true))
        }
    }

    /// - Parameter board: of a choice.
    mutating func close(
        _ inquiry: UserQuestion, _ reply: UserQuestion.Reply, board: QueueCopy? = nil, at now: Moment
    ) -> [ScreenAction] {
        inquiries.removeAll { $0.id == inquiry.id }
        guard let ask = asks.take(inquiry.id) else { return [] }
        (answeredAt, restartsUntil) = (now, now + Self.restart)
        switch (ask, reply) {
        case (.hostKey(let key), .chosen("y")), (.hostKey(let key), .chosen("o")):
            asks.noteAnswer(to: ask)
            return [.send(.trust(key, remembering: reply == .chosen("y")))]
        case (.passphrase(let file), .typed(let text)) where !text.isEmpty:
            asks.noteAnswer(to: ask)
            return [.send(.unlock(keyFile: file, Secret(text)))]
        case (.login(let origin), .typed(let user)) where inquiry.kind != .secret && !user.isEmpty:
            let password = asks.passwordInquiry(for: user, at: origin)
            inquiries.insert(password, at: 0)
            // It was expected: the password may be typed at once.
            open(password)
            return []
        case (.login(let origin), .typed(let text)) where inquiry.kind == .secret && !text.isEmpty:
            asks.noteAnswer(to: ask)
            return [.send(.logIn(origin: origin, user: asks.users[origin] ?? "", Secret(text)))]
        case (.folder, .chosen("y")):
            var ids: [TransferID] = []
            board?.visit { row, _ in
                if case .failed(let failure) = row.phase, FailureQuestion(failure) == ask { ids.append(row.id) }
            }
            return [.send(.list(ids))]
        case (.hostKey, _), (.passphrase, _), (.login, _), (.folder, _):
            asks.decline(ask)
            restartsUntil = nil
            return refuse("The transfers that need it stay failed; r or R asks again", now)
        }
    }

    /// Queues an inquiry for each transfer that failed because it needs an answer of the user.
    mutating func noteAsks(_ update: Update) {
        for event in update.events {
            guard case .failed(let failure) = event.kind, let inquiry = asks.inquiry(after: failure) else { continue }
            inquiries.append(inquiry)
        }
    }
}

extension Dashboard {
    /// Reports and logs added entries that were in the list already, and selects the first of them.
    mutating func announce(_ again: [Update.AddedAgain], board: QueueCopy, now: Moment) {
        guard let first = again.first else { return }
        let anew = again.count(where: \.isStartedAnew)
        let words: String
        if again.count == 1 {
            let name = board[first.id]?.name ?? "it"
            words = "Already in the list: \(name)" + (anew > 0 ? "; retried" : "")
        } else {
            words =
                "\(NumberFormat.count(again.count)) were already in the list"
                + (anew > 0 ? ", \(anew) of them retried" : "")
        }
        notice = Notice(words, now: now)
        journal.append([LogEntry(at: now, subject: .userMessage(words, .info))])
        list.reveal(first.id, at: now)
        selection.take(list.line(for: first.id), in: list.order, height: layout.table.count)
    }

    /// Reports in one notice, and logs, what was added and what could not be added.
    mutating func announce(added words: String?, problems: [String], now: Moment) {
        journal.append(words.map { [LogEntry(at: now, subject: .userMessage($0, .info))] } ?? [])
        journal.append(problems.map { LogEntry(at: now, subject: .userMessage($0, .warning)) })
        if let words, problems.isEmpty {
            notice = Notice(words, now: now)
        } else if !problems.isEmpty {
            notice = Notice(problems: problems, after: words)
        }
    }
}
