internal import EndpointRegistry

extension Configuration {
  /// Removes what processes that were killed have left beside the files of the service; how many files that were.
  ///
  /// To be called by who holds the server's lock: nobody else restores meanwhile.
  func removeScratch(at: Int64) -> Int {
    var made = [databasePath]
    if case .file(let key) = serviceKey { made += [key, "\(key).new"] }
    if let tls { made += [tls.certificate, tls.key] }
    return made.reduce(ScratchFile.removeRestoration(to: databasePath)) { removed, path in
      removed + ScratchFile.removeLeftOver(beside: path, at: at)
    }
  }
}
