import ArgumentParser

/// Options about what is stored across runs.
struct StorageOptions: ParsableArguments {
    @OptionGroup var place: StateFolderOptions

    @Flag(help: "Neither save the queue nor read earlier ones; without a URL the dashboard opens empty.")
    var ephemeral = false
}
