/// Everything that the registry can refuse or fail with. No case carries a token, a key or an endpoint.
package enum RegistryError: Error, Equatable, Sendable {
  /// There is no such stack or device.
  case notFound
  /// A label that names several stacks; their ids.
  case ambiguous([String])
  /// The pairing code has expired, or is not known any more.
  case pairingExpired
  /// Another client used the pairing code, or the device that came with it was revoked.
  case pairingUsed
  /// The device was revoked or removed.
  case gone
  /// A stack of that id is there already.
  case stackExists
  /// A token of that name is there already.
  case nameTaken
  /// A label without a visible character.
  case labelEmpty
  /// A VAPID public key that the stack does not hold.
  case vapidKeyUnknown
  /// Keys alone, for a subscription that is not there.
  case keysWithoutSubscription
  /// An endpoint alone, where no keys are known that could stay.
  case endpointWithoutKeys
  /// Another process held the store for longer than `busyTimeoutMilliseconds`, or too much is queued already.
  case busy
  /// The disk is full, or a quota is.
  case storageFull
  /// The file is ours and not whole: where it lies, or which row holds what no row of ours can.
  case damaged(String)
  /// A later program wrote the store, whose schema this one does not know.
  case newerSchema(found: Int, known: Int)
  /// An earlier program wrote the store, and this opening was not to lead it to the newer schema.
  case olderSchema(found: Int, known: Int)
  /// The service key is missing, unsafe, malformed or not this store's: where it lies and what to do.
  case serviceKeyUnusable(String)
  /// The command that is to print the service key failed, or printed something else: what, and never what it printed.
  case serviceKeyCommand(String)
  /// Others may read the file of the service key; where it lies.
  case serviceKeyExposed(path: String)
  /// The file, or the file system that it lies on, may not be written by this process; where it lies.
  case readOnly(String)
  /// The file is something else; where it lies.
  case notAStore(String)
  /// There is no store; where it was looked for.
  case storeMissing(String)
  /// Something else, or nothing, is now where the store lay when it was opened.
  case storeMoved(String)
  /// A server works on this very file by another name of it, a hard link; the name that was asked for.
  case servedByOtherName(String)
  /// The path of the store is relative, so that it would depend on the working directory.
  case pathNotAbsolute(String)
  /// One sealed column cannot be opened: `table/column`. The row is damaged, the others are not.
  case sealBroken(String)
  /// The cryptographic library failed in `operation`.
  case cryptography(operation: String)
  /// A file of the registry could not be read or written: the system's error number (EACCES where it is another
  /// user's) and a path.
  case file(errorNumber: Int32, path: String)
  /// A backup cannot be made, read or restored: where it lies and why.
  case backup(BackupFault, path: String)
  /// SQLite's extended result code and what was being done.
  case sqlite(code: Int32, operation: String)
  /// The store was closed.
  case closed
}
