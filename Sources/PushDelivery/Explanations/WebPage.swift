/// A page for a browser: what a web server, a proxy or a captive portal says, and no push server does.
enum WebPage {
  private static let beginnings = ["<!doctype html", "<html", "<head", "<body", "<title", "<h1"]

  /// Whether `words` begin like one.
  static func begins(_ words: String) -> Bool {
    let start = words.drop(while: \.isWhitespace).prefix(16).lowercased()
    return beginnings.contains(where: start.hasPrefix)
  }
}
