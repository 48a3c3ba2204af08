import FuzzTargets
import Glibc

/// What libFuzzer calls: once before all, and once for each input. The target is named by WAKE_FUZZ_TARGET.
private let target: FuzzTarget = {
  let name = getenv("WAKE_FUZZ_TARGET").map { String(cString: $0) }
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    let names = FuzzTarget.all.map(\.name).joined(separator: " ")
    say("WAKE_FUZZ_TARGET names one of: \(names)")
    exit(2)
  }
  return target
}()

private func say(_ text: String) {
  let line = Array("\n\(text)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
}

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // An input that is too long is not kept.
  guard count <= target.lengthMaximum else { return -1 }
  do {
    try target.run(Array(UnsafeBufferPointer(start: start, count: count)))
  } catch {
    say("FOUND by \(target.name): \(error)")
    abort()
  }
  return 0
}
