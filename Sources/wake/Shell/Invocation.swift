import EndpointRegistry
import StrictJSON
import WakeServer

/// One call of one command: its operands, flags and settings, and where its answer goes.
struct Invocation: Sendable {
  let command: Command
  let operands: [String]
  /// Values by flag; the empty string for a flag that takes none.
  let flags: [String: String]
  /// The settings as they were given. Of most commands there is none without: they are refused before they run.
  let sources: Result<ConfigurationSources, ConfigurationError>
  let environment: [String: String]
  let workingFolder: String
  /// Reads the settings once more: the file of `--config` may say something else by now.
  let readSettingsAgain: @Sendable () throws(ConfigurationError) -> ConfigurationSources

  var json: Bool { has(.json) }

  func has(_ option: Option) -> Bool { flags[option.flag] != nil }

  func value(_ flag: String) -> String? { flags[flag] }

  /// The whole number that a flag gives, in digits alone; nil where the flag does not stand there.
  ///
  /// - Parameter what: what it counts, for who wrote something else.
  func number(
    _ flag: String, _ what: String = "a whole number", in range: ClosedRange<Int>
  ) throws(CommandError) -> Int? {
    guard let text = value(flag) else { return nil }
    guard let number = WholeNumber.parse(text, in: range) else {
      throw .usage("\(flag) must be \(what) from \(range.lowerBound) to \(range.upperBound), digits only")
    }
    return number
  }

  /// The settings, checked; a state folder that is another user's is refused.
  func configuration() throws(CommandError) -> Configuration {
    let configuration: Configuration
    do { configuration = try parsedConfiguration() } catch { throw CommandError(error) }
    if let closed = ClosedPlace(onTheWayTo: configuration.stateFolder.path) { throw CommandError(closed) }
    return configuration
  }

  /// The same, for who looks into what is wrong.
  func parsedConfiguration() throws(ConfigurationError) -> Configuration {
    try Configuration(try sources.get(), environment: environment, workingFolder: workingFolder)
  }

  /// What the settings say now, checked, and those of them that said something else at the start.
  func configurationAgain() throws(CommandError) -> (Configuration, changes: [Setting]) {
    do throws(ConfigurationError) {
      let sources = try readSettingsAgain()
      let configuration = try Configuration(sources, environment: environment, workingFolder: workingFolder)
      return (configuration, sources.changes(from: try self.sources.get()))
    } catch { throw CommandError(error) }
  }

  /// Runs a piece of work on the store, and closes it.
  func withStore<Value: Sendable>(
    create: Bool = false, _ work: (SQLiteStore) async throws(RegistryError) -> Value
  ) async throws(CommandError) -> Value {
    try await withOpenStore(create: create) { store throws(CommandError) in
      do throws(RegistryError) { return try await work(store) } catch { throw CommandError(error) }
    }
  }

  /// The same for work that also fails for reasons of the command's own.
  func withOpenStore<Value: Sendable>(
    create: Bool = false, _ work: (SQLiteStore) async throws(CommandError) -> Value
  ) async throws(CommandError) -> Value {
    let configuration = try configuration()
    do {
      if create { try configuration.stateFolder.create() }
    } catch { throw CommandError(error) }
    let store: SQLiteStore
    do { store = try configuration.openStore(create: create) } catch { throw CommandError(error) }
    let result: Result<Value, CommandError>
    do throws(CommandError) { result = .success(try await work(store)) } catch { result = .failure(error) }
    await store.close()
    return try result.get()
  }

  /// The answer: the JSON document, or the lines for people.
  func answer(_ document: JSONValue, people lines: @autoclosure () -> [String]) throws(CommandError) {
    try write(json ? document.text : lines().joined(separator: "\n"))
  }

  /// One text on standard output.
  func write(_ text: String) throws(CommandError) {
    guard !text.isEmpty else { return }
    try StandardOutput.write(text + "\n")
  }

  /// A line beside the answer, on standard error.
  func remark(_ line: String) { try? FileHandleOutput.standardError.write("wake: \(line)\n") }

  /// The time now, milliseconds since 1970.
  var now: Int64 { WallClock.system.now() }
}
