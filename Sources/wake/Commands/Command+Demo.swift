extension Command {
  static let demo = Command(
    "demo", summary: "show the whole main job on this machine, with a phone of its own",
    discussion: """
      Starts the service with a temporary state folder and a phone that does what `wake companion` does, all on
      loopback; pairs, raises one alert of each kind and one of a kind that does not exist, and shows what every
      party saw. Then the phone follows the stream, and a storm of alerts comes. Leaves nothing behind.
      """,
    takesSettings: false
  ) { invocation throws(CommandError) in
    try await Demo(invocation).run()
  }
}
