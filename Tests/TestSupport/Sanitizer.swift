import Glibc

/// The sanitizer that these tests and the programs beside them were built with.
public enum Sanitizer {
  /// Whether there is one.
  public static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// How many times the memory a process may take that tests set a limit to. Most is then the sanitizer's own: its
  /// shadow of all memory, and up to 256 MiB that were freed and are kept to catch a late use.
  public static let memoryFactor = isOn ? 16 : 1
}
