import WinchModel

extension Moment {
    /// The first multiple of `span` on the clock after this instant.
    func next(multipleOf span: Duration) -> Moment {
        let span = max(1, span.nanoseconds)
        let into = ((nanoseconds % span) + span) % span
        return Moment(nanoseconds: nanoseconds &+ (span - into))
    }
}
