import ArgumentParser

/// Options about what is stored across runs.
struct KeepingArguments: ParsableArguments {
    @OptionGroup var place: StateArguments

    @Flag(help: "Neither save the queue nor read earlier ones; without a URL the dashboard opens empty.")
    var ephemeral = false
}
