import Dispatch

/// One connection that several threads share; each waits for the others.
///
/// `@unchecked`: `connection` is only used on `queue`, and does not leave the closures that it is handed to.
final class Database: @unchecked Sendable {
    private let queue = DispatchQueue(label: "winch.ledger.database")
    private let connection: SQLiteConnection

    init(_ connection: sending SQLiteConnection) { self.connection = connection }

    /// Within a transaction that sees one state of the database.
    func read<Result>(_ work: (SQLiteConnection) throws -> Result) throws -> Result {
        try queue.sync { try connection.transaction(.reading) { try work(connection) } }
    }

    /// Within a transaction: all of the work, or none of it when it throws.
    func write<Result>(_ work: (SQLiteConnection) throws -> Result) throws -> Result {
        try queue.sync { try connection.transaction(.writing) { try work(connection) } }
    }

    /// For what SQLite allows outside of transactions only.
    func withoutTransaction<Result>(_ work: (SQLiteConnection) throws -> Result) throws -> Result {
        try queue.sync { try work(connection) }
    }

    func close() throws {
        try queue.sync { try connection.close() }
    }
}
