extension Int64 {
    /// The sum of two counts; a negative one counts as nothing, and a sum beyond the largest number is that number.
    package func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, isTooMuch) = Swift.max(0, self).addingReportingOverflow(Swift.max(0, other))
        return isTooMuch ? .max : sum
    }
}
