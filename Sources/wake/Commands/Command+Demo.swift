extension Command {
  static let demo = Command(
    "demo", summary: "show the whole main job on this machine, with stand-ins",
    discussion: """
      Starts the service with a temporary state folder, a stand-in push server and a stand-in companion, all on
      loopback; pairs, registers, raises one alert of each kind and one of a kind that does not exist, and shows
      what every party saw. Leaves nothing behind.
      """,
    takesSettings: false
  ) { invocation throws(CommandError) in
    try await Demo(invocation).run()
  }
}
