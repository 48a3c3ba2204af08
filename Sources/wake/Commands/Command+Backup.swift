import CryptoPrimitives
import EndpointRegistry
import StrictJSON
import WakeServer

extension Command {
  static let backups = [backUp, verify, restore]

  private static let force = Option("--force", help: "replace a file that is there already")
  private static let withKey = Option("--with-key", help: "put the service key in too, under a passphrase")

  private static let backUp = Command(
    "backup", ["FILE"], summary: "write the whole store to one file, also while the service runs",
    discussion: """
      The file is there whole, or not at all. Pairing codes are left out. The service key is left out too, unless
      --with-key is given: keep a copy of it apart from the backup, which is worthless without it.
      `wake verify FILE` checks a backup, `wake restore FILE` brings it back.
      """,
    options: [withKey, Passphrase.option, force]
  ) { invocation throws(CommandError) in
    let file = try invocation.file()
    let configuration = try invocation.configuration()
    let key = try invocation.has(withKey) ? Self.key(invocation, configuration) : nil
    guard key != nil || invocation.value(Passphrase.option.flag) == nil else {
      throw .usage("\(Passphrase.option.flag) goes with \(withKey.flag)")
    }
    let bar = ProgressBar(invocation)
    defer { bar.clear() }
    let now = invocation.now
    _ = try await invocation.withStore { store throws(RegistryError) in
      try await store.backUp(
        to: file, replacing: invocation.has(force), key: key, at: now, random: .system,
        progress: { bar.show($0) })
    }
    bar.clear()
    try Self.answer(
      invocation, file,
      then: key == nil
        ? [
          "",
          "The service key (\(configuration.serviceKey.place)) is not in it. Keep a copy of the key apart",
          "from the backup: without the key the backup is worthless, and both together open everything.",
        ]
        : [
          "", "The service key is in it. Without its passphrase, or the key itself, the backup is worthless.",
        ]
    )
  }

  private static let verify = Command(
    "verify", ["FILE"], summary: "check every octet of a backup",
    discussion:
      "Needs no store, no key and no settings. Exit code 1 where one octet is not what was written.",
    takesSettings: false
  ) { invocation throws(CommandError) in
    let file = try invocation.file()
    let bar = ProgressBar(invocation)
    defer { bar.clear() }
    do throws(RegistryError) { try BackupReader(file).verify { bar.show($0) } } catch {
      throw CommandError(error)
    }
    bar.clear()
    try Self.answer(invocation, file, then: ["", "Every octet is the one that was written."])
  }

  private static func key(
    _ invocation: Invocation, _ configuration: Configuration
  ) throws(CommandError) -> BackupKey {
    let serviceKey: SecretOctets
    do { serviceKey = try configuration.serviceKey.load() } catch { throw CommandError(error) }
    let passphrase = try Passphrase(invocation).choose()
    do { return try BackupKey(serviceKey: serviceKey, passphrase: passphrase) } catch {
      throw CommandError(RegistryError.backup(error, path: ""))
    }
  }

  /// What is in a backup, and a few sentences more for people.
  private static func answer(
    _ invocation: Invocation, _ file: String, then sentences: [String]
  ) throws(CommandError) {
    let (contents, octets): (BackupContents, Int64)
    do {
      let reader = try BackupReader(file)
      (contents, octets) = (reader.contents, reader.length)
    } catch { throw CommandError(error) }
    try invocation.answer(
      [
        "file": .string(file), "bytes": .integer(octets),
        "madeAt": .string(Presentation.time(contents.madeAt)), "schema": .integer(Int64(contents.schema)),
        "stacks": .integer(contents.stacks), "devices": .integer(contents.devices),
        "alerts": .integer(contents.alerts), "withKey": .bool(contents.hasKey),
      ],
      people: [
        "backup       \(file), \(octets) octets",
        "made         \(LocalTime.words(contents.madeAt))",
        "schema       \(contents.schema)",
        "holds        stacks: \(contents.stacks), devices: \(contents.devices), alerts: \(contents.alerts)",
        "service key  \(contents.hasKey ? "in it, under a passphrase" : "not in it")",
      ] + sentences)
  }
}

extension Invocation {
  /// The first operand as the absolute path of a file.
  func file() throws(CommandError) -> String {
    let name = operands[0]
    guard !name.isEmpty, name != "-" else { throw .usage("name a file: a backup is not sent through a pipe") }
    return name.hasPrefix("/") ? name : "\(workingFolder)/\(name)"
  }
}

extension ServiceKeySource {
  /// Where it is, for people.
  var place: String {
    switch self {
    case .file(let path): path
    case .systemdCredential(let name): "systemd's credential \(name)"
    case .command: "what the service key command prints"
    }
  }
}
