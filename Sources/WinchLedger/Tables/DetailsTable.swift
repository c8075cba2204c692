import WinchModel

/// The tables `attempts`, `answers` and `replies`: the attempts at a transfer, the last answer and what it said of an upload,
/// kept as long as the transfer.
enum DetailsTable {
    private static let tables = ["attempts", "answers", "replies"]
    private static let attempt = """
        INSERT OR REPLACE INTO attempts (transfer, number, host, began, ended, start, have, outcome, detail)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    private static let answer = """
        INSERT OR REPLACE INTO answers (
            transfer, location, protocol, address, port, tlsVersion, tlsCipher, status, headers, etag, lastModified
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    static func write(_ details: StoredDetails, of key: LedgerKey, _ db: SQLiteConnection) throws(SQLiteError) {
        for attempt in details.attempts {
            let (word, detail) = attempt.outcome.words
            try db.run(
                Self.attempt,
                [
                    key.number, attempt.number, attempt.host, attempt.began.milliseconds, attempt.ended?.milliseconds,
                    attempt.from.bytes, attempt.have.bytes, word, detail,
                ])
        }
        if let last = details.attempts.last?.number, last > StoredDetails.most {
            try db.run(
                "DELETE FROM attempts WHERE transfer = ? AND number <= ?", [key.number, last - StoredDetails.most])
        }
        let hasAnswer = details.facts != nil || details.location != nil
        // As in `StoredDetails.merge`: a reply and facts go with those of the same attempt.
        if let reply = details.reply {
            try db.run(
                "INSERT OR REPLACE INTO replies (transfer, status, location, body, isCut) VALUES (?, ?, ?, ?, ?)",
                [key.number, reply.status, reply.location, reply.text, reply.isCut])
            if !hasAnswer { try db.run("DELETE FROM answers WHERE transfer = ?", [key.number]) }
        } else if hasAnswer {
            try db.run("DELETE FROM replies WHERE transfer = ?", [key.number])
        }
        guard hasAnswer else { return }
        let (facts, validator) = (details.facts, details.facts?.validator?.columns)
        try db.run(
            answer,
            [
                key.number, details.location, facts?.protocolName, facts?.address, facts?.port, facts?.tlsVersion,
                facts?.tlsCipher, facts?.status, facts.map { HeadersText.encode($0.headers) }, validator?.etag,
                validator?.lastModified,
            ])
    }

    /// - Returns: `nil` when there are none.
    static func read(of key: LedgerKey, _ db: SQLiteConnection) throws(SQLiteError) -> StoredDetails? {
        var details = StoredDetails()
        var failures = FailureReader()
        var rows = try db.rows(
            """
            SELECT number, host, began, ended, start, have, outcome, detail
            FROM attempts WHERE transfer = ? ORDER BY number DESC LIMIT \(StoredDetails.most)
            """, [key.number])
        while let row = try rows.next() {
            if let attempt = attempt(row, &failures) { details.attempts.append(attempt) }
        }
        details.attempts.reverse()
        var answers = try db.rows(
            """
            SELECT location, protocol, address, port, tlsVersion, tlsCipher, status, headers, etag, lastModified
            FROM answers WHERE transfer = ?
            """, [key.number])
        if let answer = try answers.next() {
            details.location = answer[0]
            details.facts = facts(answer)
        }
        var replies = try db.rows(
            "SELECT status, location, body, isCut FROM replies WHERE transfer = ?", [key.number])
        if let reply = try replies.next() {
            details.reply = ServerReply(
                status: reply[0] ?? 0, location: reply[1], text: reply[2] ?? "", isCut: (reply[3] as Int64?) == 1)
        }
        return details.isEmpty ? nil : details
    }

    static func remove(_ key: LedgerKey, _ db: SQLiteConnection) throws(SQLiteError) {
        for table in tables { try db.run("DELETE FROM \(table) WHERE transfer = ?", [key.number]) }
    }

    /// Removes details of transfers that no longer exist.
    static func removeStrays(_ db: SQLiteConnection) throws(SQLiteError) {
        for table in tables {
            try db.execute("DELETE FROM \(table) WHERE transfer NOT IN (SELECT key FROM transfers)")
        }
    }

    private static func attempt(_ row: Row, _ failures: inout FailureReader) -> StoredAttempt? {
        guard let outcome = AttemptOutcome(word: row[6] ?? "", detail: row[7], &failures) else { return nil }
        return StoredAttempt(
            number: row[0] ?? 0, host: row[1] ?? "", began: UnixTime(milliseconds: row[2] ?? 0),
            ended: (row[3] as Int64?).map(UnixTime.init(milliseconds:)), from: TransfersTableReader.count(row[4]),
            have: TransfersTableReader.count(row[5]), outcome: outcome)
    }

    private static func facts(_ row: Row) -> ConnectionFacts? {
        guard let name = row[1] as String? else { return nil }
        return ConnectionFacts(
            address: row[2] ?? "", port: row[3] ?? 0, protocolName: name, tlsVersion: row[4], tlsCipher: row[5],
            status: row[6] ?? 0, headers: HeadersText.decode(row[7] ?? ""),
            validator: Validator(etag: row[8], lastModified: row[9]))
    }
}

/// The header fields of an answer as text, one per line: a field contains no line break.
private enum HeadersText {
    static func encode(_ fields: [HeaderField]) -> String {
        fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }

    static func decode(_ text: String) -> [HeaderField] {
        text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let end = line.firstRange(of: ": ".utf8) else { return nil }
            return HeaderField(
                name: String(Substring(line[..<end.lowerBound])), value: String(Substring(line[end.upperBound...])))
        }
    }
}

extension AttemptOutcome {
    fileprivate var words: (word: String, detail: String?) {
        switch self {
        case .running: ("running", nil)
        case .complete: ("complete", nil)
        case .paused: ("paused", nil)
        case .cancelled: ("cancelled", nil)
        case .interrupted: ("interrupted", nil)
        case .failed(let failure): ("failed", StoredJSON.text(failure))
        }
    }

    fileprivate init?(word: String, detail: String?, _ failures: inout FailureReader) {
        switch word {
        case "running": self = .running
        case "complete": self = .complete
        case "paused": self = .paused
        case "cancelled": self = .cancelled
        case "interrupted": self = .interrupted
        case "failed": self = .failed(failures.read(detail ?? ""))
        default: return nil
        }
    }
}
