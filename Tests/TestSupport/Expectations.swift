package import Testing

// What a test expects. `#expect` and `#require` cost the compiler 11 ms each, since it checks and compiles their expansions, and
// there are seven thousand; a call of these functions costs it 1.5 ms. They use the macros when something does not hold, whose
// issues show the values. `#expect(throws:)` is used itself.

package func expect(
    _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line, sourceLocation: SourceLocation? = nil
) {
    if condition { return }
    #expect(condition, comment(), sourceLocation: sourceLocation ?? place(file, line))
}

package func expectEqual<Value: Equatable>(
    _ value: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line, sourceLocation: SourceLocation? = nil
) {
    if value == expected { return }
    #expect(value == expected, comment(), sourceLocation: sourceLocation ?? place(file, line))
}

package func expectNil<Value>(
    _ value: Value?, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line, sourceLocation: SourceLocation? = nil
) {
    if value == nil { return }
    #expect(value == nil, comment(), sourceLocation: sourceLocation ?? place(file, line))
}

package func expectLess<Value: Comparable>(
    _ value: Value, than bound: Value, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line, sourceLocation: SourceLocation? = nil
) {
    if value < bound { return }
    #expect(value < bound, comment(), sourceLocation: sourceLocation ?? place(file, line))
}

package func expectMore<Value: Comparable>(
    _ value: Value, than bound: Value, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line, sourceLocation: SourceLocation? = nil
) {
    if value > bound { return }
    #expect(value > bound, comment(), sourceLocation: sourceLocation ?? place(file, line))
}

package func expectAtMost<Value: Comparable>(
    _ value: Value, _ bound: Value, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line, sourceLocation: SourceLocation? = nil
) {
    if value <= bound { return }
    #expect(value <= bound, comment(), sourceLocation: sourceLocation ?? place(file, line))
}

package func expectAtLeast<Value: Comparable>(
    _ value: Value, _ bound: Value, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line, sourceLocation: SourceLocation? = nil
) {
    if value >= bound { return }
    #expect(value >= bound, comment(), sourceLocation: sourceLocation ?? place(file, line))
}

/// The value; without one the test ends.
package func require<Value>(
    _ value: Value?, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line, sourceLocation: SourceLocation? = nil
) throws -> Value {
    if let value { return value }
    return try #require(value, comment(), sourceLocation: sourceLocation ?? place(file, line))
}

/// Ends the test unless the condition holds.
package func require(
    _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line, sourceLocation: SourceLocation? = nil
) throws {
    if condition { return }
    try #require(condition, comment(), sourceLocation: sourceLocation ?? place(file, line))
}

private func place(_ file: String, _ line: Int) -> SourceLocation {
    SourceLocation(fileID: file, filePath: file, line: line, column: 1)
}
