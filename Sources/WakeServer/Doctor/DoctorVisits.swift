internal import CryptoPrimitives
internal import Synchronization

/// Tells whether a request to the public URL ends in this very process: the doctor sends a random word along, and
/// looks whether it came in.
final class DoctorVisits: Sendable {
  /// The member of the query that holds the word.
  static let member = "visit"
  /// Words that are waited for at the same time; with more, the doctor takes an answer's word for it.
  private static let wordsMaximum = 64
  private static let wordOctets = 16

  /// Whether each has come in.
  private let words = Mutex<[String: Bool]>([:])
  private let random: RandomOctets

  init(random: RandomOctets = .system) { self.random = random }

  /// A fresh word that is waited for until ``forget(_:)``; nil where there are too many.
  func expect() -> String? {
    let word = Base64URL.encode(random(Self.wordOctets))
    return words.withLock { words in
      guard words.count < Self.wordsMaximum else { return nil }
      words[word] = false
      return word
    }
  }

  /// A request brought a word. One that nobody waits for is passed over.
  func note(_ word: String) {
    words.withLock { words in
      if words[word] != nil { words[word] = true }
    }
  }

  /// Waits for it no more; whether it came in.
  func forget(_ word: String) -> Bool { words.withLock { $0.removeValue(forKey: word) } ?? false }
}
