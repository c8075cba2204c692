/// How long a queue takes by its bytes and by its files: time = a bytes + c files.
///
/// Small files cost a request each, whatever their size, and a rate of bytes foretells their end badly. (a, c) are found
/// by least squares over windows of a second. Where all files are alike, bytes and files say the same and the equations
/// do not tell them apart; so a little of a prior is added: two thirds of the time are due to bytes, one to files. Scaled
/// by the means B of bytes, C of files and T of seconds in a window (x = a B / T and y = c C / T are the shares of the
/// time; u, v, t a window's bytes, files and seconds in those means), what is minimised is
///
///     sum of (u x + v y - t)^2  +  p (x - 2/3)^2  +  p (y - 1/3)^2
///
/// with sums that forget 1% a window.
struct QueueFit: Hashable, Sendable {
    private var window = Window()
    private var doneBefore: Int?
    /// Sums over the closed windows.
    private var sum = Window()
    private var bytesBytes = 0.0
    private var bytesFiles = 0.0
    private var filesFiles = 0.0
    private var bytesSeconds = 0.0
    private var filesSeconds = 0.0
    /// Windows in the sums, older ones counting less.
    private var windows = 0.0
    /// Windows in which the costs of before hold no more.
    private var settling = 0

    struct Window: Hashable, Sendable {
        var seconds = 0.0
        var bytes = 0.0
        var files = 0.0
    }

    /// Long enough that some files end in it.
    private static let windowLength = 1.0
    private static let kept = 0.99
    /// Connections come and go within a few seconds of a change.
    private static let settlingWindows = 5
    /// Costs vary by so much from one window to the next.
    private static let unchanged = 0.9...1.1
    /// One window may be a stall or a burst: a change that is really greater shows again in the next of the settling windows,
    /// and each takes it further.
    private static let largestChange = 0.25...4.0
    /// As much as a tenth of a window says.
    private static let prior = 0.1
    private static let bytesShare = 2.0 / 3
    /// Before half a second nothing is foretold.
    private static let least = 0.5

    /// Files that were finished before cost nothing now; later calls change nothing.
    mutating func begin(done: Int) { doneBefore = doneBefore ?? done }

    /// The user or the queue has changed what runs: the next windows say what bytes and files cost from now on.
    mutating func expectChange() { settling = Self.settlingWindows }

    /// - Parameter done: files finished so far.
    /// - Returns: whether the costs have changed with it.
    @discardableResult mutating func take(_ interval: SampleInterval, done: Int) -> Bool {
        window.seconds += interval.seconds
        window.bytes += interval.bytes
        window.files = Double(done - (doneBefore ?? 0))
        guard window.seconds >= Self.windowLength else { return false }
        let isChanged = settling > 0 && adopt()
        settling = max(0, settling - 1)
        Self.fold(&sum.seconds, window.seconds)
        Self.fold(&sum.bytes, window.bytes)
        Self.fold(&sum.files, window.files)
        Self.fold(&bytesBytes, window.bytes * window.bytes)
        Self.fold(&bytesFiles, window.bytes * window.files)
        Self.fold(&filesFiles, window.files * window.files)
        Self.fold(&bytesSeconds, window.bytes * window.seconds)
        Self.fold(&filesSeconds, window.files * window.seconds)
        Self.fold(&windows, 1)
        window = Window()
        doneBefore = done
        return isChanged
    }

    /// Takes the costs for as much higher or lower as they were in the window that has ended; how they divide into bytes and
    /// files stays.
    private mutating func adopt() -> Bool {
        let new = window
        window = Window()
        defer { window = new }
        guard new.bytes > 0, let expected = timeLeft(QueueLeft(bytes: new.bytes, files: Int(new.files))), expected > 0
        else { return false }
        let range = Self.largestChange
        let factor = min(max(new.seconds / expected, range.lowerBound), range.upperBound)
        guard !Self.unchanged.contains(factor) else { return false }
        sum.seconds *= factor
        bytesSeconds *= factor
        filesSeconds *= factor
        return true
    }

    private static func fold(_ sum: inout Double, _ term: Double) { sum = sum * kept + term }

    /// A window was closed: files have a cost of their own.
    var isGrown: Bool { windows > 0 }

    /// Seconds that `left` will take; `nil` while too little was seen.
    func timeLeft(_ left: QueueLeft) -> Double? {
        let seconds = sum.seconds + window.seconds
        let bytes = sum.bytes + window.bytes
        let files = sum.files + window.files
        guard seconds >= Self.least, bytes > 0 else { return nil }
        guard files > 0 else { return left.bytes * seconds / bytes }
        guard windows > 0, sum.bytes > 0, sum.files > 0 else {
            return seconds * (Self.bytesShare * left.bytes / bytes + (1 - Self.bytesShare) * Double(left.files) / files)
        }
        let (x, y) = shares()
        return sum.seconds * (x * left.bytes / sum.bytes + y * Double(left.files) / sum.files)
    }

    /// Of the time, the shares due to bytes and to files: x and y above, neither negative.
    private func shares() -> (bytes: Double, files: Double) {
        let (b, c, t) = (sum.bytes / windows, sum.files / windows, sum.seconds / windows)
        let uu = bytesBytes / (b * b) + Self.prior
        let vv = filesFiles / (c * c) + Self.prior
        let uv = bytesFiles / (b * c)
        let ut = bytesSeconds / (b * t) + Self.prior * Self.bytesShare
        let vt = filesSeconds / (c * t) + Self.prior * (1 - Self.bytesShare)
        // Positive: the prior stands on the diagonal.
        let determinant = uu * vv - uv * uv
        let x = (ut * vv - vt * uv) / determinant
        let y = (uu * vt - uv * ut) / determinant
        if y < 0 { return (ut / uu, 0) }
        if x < 0 { return (0, vt / vv) }
        return (x, y)
    }
}
