import ArgumentParser

/// What outlives a run.
struct KeepingArguments: ParsableArguments {
    @OptionGroup var place: StateArguments

    @Flag(help: "Keep nothing of the queue, and read nothing of earlier runs; without a URL the dashboard opens empty.")
    var ephemeral = false
}
