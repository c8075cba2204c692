import WinchModel
import WinchScreen

/// The terminal under a dashboard: a screen, or lines for speech.
protocol DashboardSurface: AnyObject {
    /// Another job has the terminal.
    var isElsewhere: Bool { get }
    /// Restores the terminal's state from before the dashboard.
    func releaseTerminal()
    /// Takes the terminal again after the process was stopped or in the background.
    func retakeTerminal(at now: Moment)
    /// Adapts to a new size.
    func resize(at now: Moment)
    /// Draws everything again.
    func redraw()
    /// Shows the effect of a key or of an interrupt without delay.
    func requestUrgentFrame()
    /// A command was sent: the update with its effect is shown without delay.
    func expectAnswer(at now: Moment)
    func copy(_ text: String) throws(Clipboard.Refusal)
    func setFrames(perSecond: Int)
    func setMouse(_ isOn: Bool)
    /// The dashboard has handled an event, and its actions are done.
    func didShow(_ event: ScreenEvent, at now: Moment)
}
