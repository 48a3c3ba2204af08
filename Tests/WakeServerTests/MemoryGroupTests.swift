import Foundation
import Testing

@testable import WakeServer

@Suite("The memory that a control group may have (cgroups(7))")
struct MemoryGroupTests {
  /// What files say, and what of it is the limit.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let membership: String
    let files: [String: String]
    let limit: Int?
  }

  static let cases = [
    Case(
      testDescription: "the unified hierarchy", membership: "0::/system.slice/wake.service\n",
      files: ["system.slice/wake.service/memory.max": "134217728\n"], limit: 134_217_728),
    Case(
      testDescription: "a slice with less than its service", membership: "0::/a.slice/wake.service\n",
      files: ["a.slice/wake.service/memory.max": "134217728\n", "a.slice/memory.max": "67108864\n"],
      limit: 67_108_864),
    Case(
      testDescription: "no limit", membership: "0::/wake.service\n",
      files: ["wake.service/memory.max": "max\n"],
      limit: nil),
    Case(
      testDescription: "the older hierarchy", membership: "5:cpu:/x\n4:memory:/wake\n0::/\n",
      files: [
        "memory/wake/memory.limit_in_bytes": "134217728\n",
        "memory/memory.limit_in_bytes": "9223372036854771712\n",
      ], limit: 134_217_728),
    Case(
      testDescription: "a container that sees its own group as the root",
      membership: "4:memory:/outside/abc\n",
      files: ["memory/memory.limit_in_bytes": "134217728\n"], limit: 134_217_728),
    Case(testDescription: "a path that leads out", membership: "0::/../../x\n", files: [:], limit: nil),
    Case(testDescription: "nothing that is understood", membership: "x\n0:\n", files: [:], limit: nil),
  ]

  @Test("is the least that is set on the way", arguments: cases)
  func limit(row: Case) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wake-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let root = folder.appendingPathComponent("root")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    let membership = folder.appendingPathComponent("cgroup")
    try Data(row.membership.utf8).write(to: membership)
    for (path, text) in row.files {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    #expect(MemoryGroup.limit(membership: membership.path, root: root.path) == row.limit)
  }

  @Test("is not known where there are no groups")
  func none() {
    #expect(MemoryGroup.limit(membership: "/nowhere", root: "/nowhere") == nil)
  }
}
