import WinchModel

extension TransferSnapshot {
    /// What the row's bar shows.
    var barReading: BarAnimation.Reading {
        BarAnimation.Reading(
            place: place, rebase: rebase, isFlowing: isFlowing, parts: parts)
    }

    /// Bytes move now.
    var isFlowing: Bool { phase == .moving && stalledSince == nil }

    private var parts: BarSegments? {
        guard let split, !split.onDisk.isEmpty || split.connections > 1, let size = size.known else { return nil }
        return BarSegments(split.onDisk, working: split.working, size: size.bytes)
    }

    private var place: BarAnimation.Reading.Place {
        if case .finished = phase { return .whole }
        return fraction.map(BarAnimation.Reading.Place.init(fraction:)) ?? .unknown
    }
}

extension QueueTotals {
    /// What the queue's bar shows.
    var barReading: BarAnimation.Reading {
        BarAnimation.Reading(place: place, rebase: rebase, isFlowing: active > 0)
    }

    private var place: BarAnimation.Reading.Place {
        if count == 0 { return .fraction(0) }
        if allSettled { return .whole }
        return isIndeterminate ? .unknown : .init(fraction: fraction)
    }
}

extension BarAnimation.Reading.Place {
    /// Clamps the fraction to 0..<1; NaN becomes 0.
    fileprivate init(fraction: Double) {
        self = .fraction(fraction > 0 ? min(fraction, 1.0.nextDown) : 0)
    }
}
