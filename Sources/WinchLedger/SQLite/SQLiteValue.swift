import CSQLite

/// A Swift value as SQLite stores it.
protocol SQLiteValue {
    /// The value of a column that is not NULL; SQLite converts between its types, text that is no number gives 0.
    ///
    /// - Source: https://www.sqlite.org/c3ref/column_blob.html
    init(_ statement: OpaquePointer, column: Int32)

    /// - Parameter index: from 1.
    /// - Returns: SQLite's result code.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension Int64: SQLiteValue {
    init(_ statement: OpaquePointer, column: Int32) { self = sqlite3_column_int64(statement, column) }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 { sqlite3_bind_int64(statement, index, self) }
}

extension Int: SQLiteValue {
    init(_ statement: OpaquePointer, column: Int32) { self = Int(Int64(statement, column: column)) }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 { Int64(self).bind(to: statement, at: index) }
}

extension Int32: SQLiteValue {
    init(_ statement: OpaquePointer, column: Int32) {
        self = Int32(truncatingIfNeeded: Int64(statement, column: column))
    }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 { Int64(self).bind(to: statement, at: index) }
}

extension Bool: SQLiteValue {
    init(_ statement: OpaquePointer, column: Int32) { self = Int64(statement, column: column) != 0 }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        Int64(self ? 1 : 0).bind(to: statement, at: index)
    }
}

/// A blob.
extension [UInt8]: SQLiteValue {
    init(_ statement: OpaquePointer, column: Int32) {
        // The bytes first: asked for the count of a number, SQLite would convert it.
        let bytes = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        self = bytes.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        withUnsafeBytes { bytes in
            // No address would be NULL.
            guard let start = bytes.baseAddress else { return sqlite3_bind_zeroblob(statement, index, 0) }
            return sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), .copied)
        }
    }
}

/// `SQLITE_TRANSIENT`, a cast in C that Swift does not import: SQLite copies the value before it returns.
extension sqlite3_destructor_type? {
    fileprivate static var copied: Self { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

extension String: SQLiteValue {
    /// Bytes that are not UTF-8 are replaced.
    init(_ statement: OpaquePointer, column: Int32) {
        guard let text = sqlite3_column_text(statement, column) else {
            self = ""
            return
        }
        let count = Int(sqlite3_column_bytes(statement, column))
        self = String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                // No address would be NULL.
                guard let start = bytes.baseAddress else {
                    return sqlite3_bind_text(statement, index, "", 0, .copied)
                }
                return sqlite3_bind_text64(
                    statement, index, start, UInt64(bytes.count), .copied, UInt8(SQLITE_UTF8))
            }
        }
    }
}
