import Foundation
import FuzzTargets
import TestSupport
import Testing

/// One input at a time: a target may have one server for all of them, and its threads are not for waiting on it.
@Suite("The fuzz targets", .serialized)
struct SeedTests {
  /// Seeds, and inputs that once found something, by target.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fixtures/fuzz").standardized

  static func inputs(of target: FuzzTarget) throws -> [(name: String, octets: [UInt8])] {
    let folder = folder.appending(path: target.name)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
    }
  }

  @Test("hold for every input that is kept", arguments: FuzzTarget.all.map(\.name))
  func seeds(name: String) async throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let inputs = try Self.inputs(of: target)
    #expect(!inputs.isEmpty)
    for input in inputs {
      #expect(input.octets.count <= target.lengthMaximum, "\(input.name) is longer than its target takes")
      let octets = input.octets
      await #expect(throws: Never.self, "\(input.name)") { try await onOwnThread { try target.run(octets) } }
    }
  }

  @Test(
    "hold for every seed with an octet changed, left out or doubled", arguments: FuzzTarget.all.map(\.name))
  func neighbours(name: String) async throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    var numbers = Numbers(state: 1)
    for input in try Self.inputs(of: target) where !input.octets.isEmpty {
      for _ in 0..<20 {
        var octets = input.octets
        let place = numbers.next(below: octets.count)
        switch numbers.next(below: 3) {
        case 0: octets[place] = UInt8(numbers.next(below: 256))
        case 1: octets.remove(at: place)
        default: octets.insert(octets[place], at: place)
        }
        let changed = octets
        await #expect(throws: Never.self, "\(input.name) as \(changed)") {
          try await onOwnThread { try target.run(changed) }
        }
      }
    }
  }

  @Test("and the folders of seeds are the same")
  func folders() throws {
    let found = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(found).subtracting(["README.md"]) == Set(FuzzTarget.all.map(\.name)))
  }

  /// Numbers that are the same in every run (xorshift64).
  private struct Numbers {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
  }
}
