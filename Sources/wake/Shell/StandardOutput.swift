import WakeServer

/// Where answers go.
enum StandardOutput {
  /// Writes all of a text.
  static func write(_ text: String) throws(CommandError) {
    do throws(FileHandleOutput.Failed) { try FileHandleOutput.standardOutput.write(text) } catch {
      throw CommandError(error)
    }
  }
}
