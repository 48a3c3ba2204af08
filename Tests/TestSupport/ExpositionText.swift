/// The samples of a page of metrics.
package struct ExpositionText: Sendable {
  package struct Malformed: Error {
    let line: String
  }

  /// Families that the page names, with or without samples, as their metadata calls them.
  package private(set) var families: Set<String> = []
  /// What stands behind each `name{labels}`.
  package private(set) var samples: [String: Double] = [:]

  /// Reads either format; a line that is no metadata and no sample, or a series that stands there twice, is malformed.
  package init(_ text: String) throws {
    for line in text.split(separator: "\n") {
      if line.hasPrefix("# ") {
        let words = line.split(separator: " ")
        if words.count > 2, words[1] == "TYPE" { families.insert(String(words[2])) }
        continue
      }
      guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]),
        samples.updateValue(value, forKey: String(line[..<space])) == nil
      else { throw Malformed(line: String(line)) }
    }
  }

  package subscript(_ series: String) -> Double? { samples[series] }

  /// The names of all samples, without labels.
  package var names: Set<String> { Set(samples.keys.map { String($0.prefix { $0 != "{" }) }) }

  /// The series of one name.
  package func series(_ name: String) -> [String] {
    samples.keys.filter { $0.prefix { $0 != "{" } == name }.sorted()
  }

  /// The values that a label has anywhere.
  package func values(of label: String) -> Set<String> {
    Set(
      samples.keys.compactMap { key in
        key.firstRange(of: "\(label)=\"").map { String(key[$0.upperBound...].prefix { $0 != "\"" }) }
      })
  }
}
