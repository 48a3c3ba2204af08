import Glibc

/// The sanitizer that these tests and the programs beside them were built with.
public enum Sanitizer {
  /// Whether there is one.
  public static let isOn = dlsym(nil, "__asan_init") != nil || seesThreads

  /// Whether it is that of threads, which hands a signal to the program only once the call of the system in which it came
  /// is over, and makes a temporary file when a process starts.
  public static let seesThreads = dlsym(nil, "__tsan_init") != nil

  /// How many times the memory a process may take that tests set a limit to. Most is then the sanitizer's own: its
  /// shadow of all memory, and up to 256 MiB that were freed and are kept to catch a late use.
  public static let memoryFactor = isOn ? 16 : 1

  /// How many times the time that tests give something which fails in time.
  public static let timeFactor = isOn ? 2 : 1
}
