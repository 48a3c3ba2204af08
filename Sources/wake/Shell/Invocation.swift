import EndpointRegistry
import StrictJSON
import WakeServer

/// One call of one command: its operands, flags and settings, and where its answer goes.
struct Invocation: Sendable {
  let command: Command
  let operands: [String]
  /// Values by flag; the empty string for a flag that takes none.
  let flags: [String: String]
  let sources: ConfigurationSources
  let environment: [String: String]
  let workingFolder: String

  var json: Bool { has(.json) }

  func has(_ option: Option) -> Bool { flags[option.flag] != nil }

  func value(_ flag: String) -> String? { flags[flag] }

  /// The settings, checked.
  func configuration() throws(CommandError) -> Configuration {
    do {
      return try Configuration(sources, environment: environment, workingFolder: workingFolder)
    } catch { throw CommandError(error) }
  }

  /// Runs a piece of work on the store, and closes it.
  func withStore<Value: Sendable>(
    create: Bool = false, _ work: (SQLiteStore) async throws(RegistryError) -> Value
  ) async throws(CommandError) -> Value {
    let configuration = try configuration()
    do {
      if create { try configuration.stateFolder.create() }
    } catch { throw CommandError(error) }
    do throws(RegistryError) {
      let store = try configuration.openStore(create: create)
      let result: Result<Value, RegistryError>
      do throws(RegistryError) { result = .success(try await work(store)) } catch { result = .failure(error) }
      await store.close()
      return try result.get()
    } catch { throw CommandError(error) }
  }

  /// The answer: the JSON document, or the lines for people.
  func answer(_ document: JSONValue, people lines: @autoclosure () -> [String]) throws(CommandError) {
    try write(json ? document.text : lines().joined(separator: "\n"))
  }

  /// One text on standard output.
  func write(_ text: String) throws(CommandError) {
    guard !text.isEmpty else { return }
    do { try FileHandleOutput.standardOutput.write(text + "\n") } catch {
      throw .failed("standard output cannot be written")
    }
  }

  /// The time now, milliseconds since 1970.
  var now: Int64 { WallClock.system.now() }
}
