import CryptoPrimitives
import EndpointRegistry
import StrictJSON
import WakeServer

extension Command {
  static let serviceKeys = [serviceKeyNew, serviceKeyRotate]

  private static let newKeyFile = Option(
    "--new-key-file", "FILE", help: "the new key, where it does not live in a file of the service's own")

  private static let serviceKeyNew = Command(
    "service-key new", ["FILE"], summary: "write a new service key to a file", takesSettings: false
  ) { invocation throws(CommandError) in
    let file = try invocation.file()
    do throws(RegistryError) { try ServiceKeySource.writeNewKey(to: file, random: .system) } catch {
      throw CommandError(error)
    }
    try invocation.answer(
      ["file": .string(file)], people: ["a new service key is in \(file); nothing uses it yet"])
  }

  private static let serviceKeyRotate = Command(
    "service-key rotate", summary: "have a new service key open the store; a running server goes on",
    discussion: """
      Takes no time: one key is sealed anew, and nothing else. Old backups still need the old key.
      Where the key comes from systemd or from a command, make one with `wake service-key new FILE`, name it with
      --new-key-file, and put it in the old one's place before the next start.
      """,
    options: [newKeyFile]
  ) { invocation throws(CommandError) in
    let source = try invocation.configuration().serviceKey
    let place = source.place
    if let file = invocation.value(newKeyFile.flag) {
      if case .file = source {
        throw .usage("\(newKeyFile.flag) is for keys that do not live in a file: leave it out")
      }
      try await invocation.withStore { store throws(RegistryError) in
        try await store.rewrapDataKey(from: source.load(), to: ServiceKeySource.file(file).load())
      }
      try invocation.answer(
        ["serviceKey": .string(place), "exchange": true],
        people: [
          "the key in \(file) opens the store from now on, and the old one does not",
          "Exchange \(place) before the next start: put the key from \(file) there.",
        ])
    } else {
      guard case .file(let path) = source else {
        throw .usage(
          "the key is \(place): name the new one with \(newKeyFile.flag) (`wake service-key new` makes one)")
      }
      try await invocation.withStore { store throws(RegistryError) in
        try await ServiceKeyRotation(path: path).run(store, random: .system)
      }
      try invocation.answer(
        ["serviceKey": .string(place), "exchange": false],
        people: [
          "\(path) holds a new key, and the old one opens nothing but old backups",
          "Copy it to where you keep the key.",
        ])
    }
  }
}
