import CryptoPrimitives
import Foundation
import Testing

@testable import EndpointRegistry

@Suite("Checking a backup")
struct BackupVerifyTests {
  /// A file whose content is changed and checked again and again.
  private struct Probe {
    let folder: TemporaryFolder
    let octets: [UInt8]

    init(_ octets: [UInt8]) throws {
      folder = try TemporaryFolder()
      self.octets = octets
    }

    func verify(_ octets: [UInt8]) throws -> RegistryError? {
      try Backups.write(octets, folder.file("probe"))
      do throws(RegistryError) {
        try BackupReader(folder.file("probe")).verify()
        return nil
      } catch { return error }
    }
  }

  /// A small backup in form: its store part is no database, which checking does not look at.
  private static func small() throws -> [UInt8] {
    let store = [UInt8](repeating: 0x53, count: 300)
    let folder = try TemporaryFolder()
    try Backups.write(store, folder.file("store"))
    let contents = BackupContents(
      madeAt: TemporaryStore.now, schema: 2, stacks: 1, devices: 2, alerts: 3, hasKey: false)
    let sealed = (
      octets: [UInt8](repeating: 0x4B, count: SealedServiceKey.length),
      sealing: SealedServiceKey.Sealing(
        parameters: .recommended, salt: [UInt8](repeating: 1, count: SealedServiceKey.saltLength))
    )
    do {
      let file = try DataFile(making: folder.file("backup"))
      try BackupWriter(contents: contents, store: folder.file("store"), key: sealed).write(to: file) { _ in }
    }
    return try folder.octets("backup")
  }

  @Test("every bit of every octet counts")
  func everyOctet() throws {
    let probe = try Probe(Self.small())
    #expect(try probe.verify(probe.octets) == nil)
    for index in probe.octets.indices {
      for bit in 0..<8 {
        var flipped = probe.octets
        flipped[index] ^= 1 << UInt8(bit)
        let error = try probe.verify(flipped)
        guard case .backup = error else {
          Issue.record("octet \(index), bit \(bit): \(error as Any)")
          return
        }
      }
    }
  }

  @Test("a real backup is refused when any of its octets differs: a few thousand, and both ends")
  func realBackup() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    _ = try await temporary.register(stack, subscription: .at("one"))
    let probe = try Probe(try await temporary.backUp(key: Backups.key()))
    #expect(try probe.verify(probe.octets) == nil)
    let count = probe.octets.count
    // A prime, so that every place within a page comes up.
    let sample = Array(stride(from: 0, to: count, by: 127)) + Array(0..<600) + Array(count - 200..<count)
    for index in sample {
      var flipped = probe.octets
      flipped[index] = ~flipped[index]
      guard case .backup = try probe.verify(flipped) else {
        Issue.record("octet \(index)")
        return
      }
    }
  }

  @Test("it is refused when it is cut anywhere, and when anything follows")
  func length() throws {
    let probe = try Probe(Self.small())
    for length in 0..<probe.octets.count {
      guard case .backup = try probe.verify(Array(probe.octets.prefix(length))) else {
        Issue.record("cut to \(length)")
        return
      }
    }
    for octet: UInt8 in [0, 0x0A, 0x30] {
      #expect(
        try probe.verify(probe.octets + [octet])
          == .backup(.wrongLength, path: probe.folder.file("probe")))
    }
  }

  @Test("the part that is damaged is named")
  func parts() throws {
    let probe = try Probe(Self.small())
    for (part, octet) in [("store", UInt8(0x53)), ("service-key", UInt8(0x4B))] {
      let run = Data([UInt8](repeating: octet, count: 20))
      var flipped = probe.octets
      flipped[try #require(Data(probe.octets).range(of: run)).lowerBound] ^= 1
      #expect(
        try probe.verify(flipped)
          == .backup(.digestMismatch(part), path: probe.folder.file("probe")))
    }
  }

  private static let digest = Hex.encode(SHA256.digest([1]))

  private static func manifest(
    size: String = "1", parts: String? = nil, head: String = "\"schema\":2"
  ) -> String {
    let parts = parts ?? "{\"name\":\"store\",\"size\":\(size),\"sha256\":\"\(digest)\"}"
    return "{\(head),\"madeAtMilliseconds\":1,\"stacks\":1,\"devices\":1,\"alerts\":1,\"parts\":[\(parts)]}"
  }

  private static func keyPart(
    n: String = "131072", r: String = "8", p: String = "1", cipher: String = "aes-256-gcm",
    size: Int = SealedServiceKey.length, salt: String = "AQEBAQEBAQEBAQEBAQEBAQ"
  ) -> String {
    let digest = Hex.encode(SHA256.digest([UInt8](repeating: 0, count: SealedServiceKey.length)))
    return """
      {"name":"service-key","size":\(size),"sha256":"\(digest)","cipher":"\(cipher)",\
      "scrypt":{"n":\(n),"r":\(r),"p":\(p),"salt":"\(salt)"}}
      """
  }

  private static let storePart = "{\"name\":\"store\",\"size\":1,\"sha256\":\"\(digest)\"}"

  @Test("a manifest of our own making is taken, so that what is refused below is refused for what it says")
  func accepted() throws {
    let probe = try Probe([])
    #expect(try probe.verify(Backups.sealed(manifest: Self.manifest(), parts: [1])) == nil)
    let both = Self.manifest(parts: "\(Self.storePart),\(Self.keyPart())")
    let parts = [1] + [UInt8](repeating: 0, count: SealedServiceKey.length)
    #expect(try probe.verify(Backups.sealed(manifest: both, parts: parts)) == nil)
  }

  @Test(
    "a hostile manifest is refused, although every sum is right",
    arguments: [
      manifest(size: "0"), manifest(size: "-1"), manifest(size: "2"), manifest(size: "9223372036854775807"),
      manifest(size: "9223372036854775808"), manifest(size: "1.0"), manifest(size: "\"1\""),
      manifest(parts: ""), manifest(parts: "\(storePart),\(storePart)"), manifest(parts: "null"),
      manifest(parts: "{\"name\":\"other\",\"size\":1,\"sha256\":\"\(digest)\"}"),
      manifest(parts: "{\"name\":\"store\",\"size\":1}"),
      manifest(parts: "{\"name\":\"store\",\"size\":1,\"sha256\":\"\(digest.uppercased())\"}"),
      manifest(parts: "{\"name\":\"store\",\"size\":1,\"sha256\":\"\(digest)\",\"more\":1}"),
      manifest(parts: keyPart()), manifest(parts: "\(keyPart()),\(storePart)"),
      manifest(parts: "\(storePart),\(keyPart()),\(keyPart())"),
      manifest(parts: "\(storePart),\(keyPart(n: "1073741824"))"),
      manifest(parts: "\(storePart),\(keyPart(n: "4611686018427387904"))"),
      manifest(parts: "\(storePart),\(keyPart(n: "131071"))"),
      manifest(parts: "\(storePart),\(keyPart(n: "0"))"), manifest(parts: "\(storePart),\(keyPart(n: "-2"))"),
      manifest(parts: "\(storePart),\(keyPart(r: "9223372036854775807"))"),
      manifest(parts: "\(storePart),\(keyPart(p: "1000000"))"),
      manifest(parts: "\(storePart),\(keyPart(cipher: "none"))"),
      manifest(parts: "\(storePart),\(keyPart(size: 61))"),
      manifest(parts: "\(storePart),\(keyPart(salt: "AQ"))"),
      manifest(head: "\"schema\":0"), manifest(head: "\"schema\":2,\"schema\":2"),
      manifest(head: "\"more\":1,\"schema\":2"), manifest(head: " \"schema\":2"), "{}", "", "[]", "null",
      String(repeating: "[", count: 4_000), String(repeating: " ", count: 5_000),
    ])
  func hostile(manifest: String) throws {
    let probe = try Probe([])
    let error = try probe.verify(Backups.sealed(manifest: manifest, parts: [1]))
    let path = probe.folder.file("probe")
    #expect(error == .backup(.malformedManifest, path: path) || error == .backup(.wrongLength, path: path))
  }

  @Test(
    "what is no backup, and one of a later form, are told apart",
    arguments: [
      ("", BackupFault.notABackup), ("SQLite format 3\u{0}", .notABackup), ("wake-backup", .notABackup),
      ("wake-backup-2\n", .newerFormat), ("wake-backup-10\n", .newerFormat),
    ])
  func other(text: String, fault: BackupFault) throws {
    let probe = try Probe([])
    #expect(try probe.verify(Array(text.utf8)) == .backup(fault, path: probe.folder.file("probe")))
  }

  @Test("a folder, a pipe and nothing at all are errors of the file system, and hold nobody up")
  func noFile() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    for (path, number) in [(folder.path, EINVAL), (folder.file("pipe"), EINVAL), (folder.file("no"), ENOENT)]
    {
      #expect(throws: RegistryError.file(errorNumber: number, path: path)) { _ = try BackupReader(path) }
    }
  }
}
