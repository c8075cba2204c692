import ArgumentParser

/// The options "State": what is stored across runs.
struct StateOptions: OptionSection {
    @OptionGroup var place: StateFolderOption

    @Flag(
        help: """
            Neither save the queue nor read earlier ones; without a URL the dashboard opens empty; press a to add downloads.
            """)
    var ephemeral = false
}
