package import CryptoPrimitives
package import KindCatalogue

/// Where stacks, devices, pairing codes, alerts and attempts are kept. Times are milliseconds since 1970.
/// Every change is on disk when its call returns; a call that throws has changed nothing.
package protocol RegistryStore: WakeStore {
  // MARK: Stacks

  /// Adds a stack with a VAPID key and one hook token. `id` nil mints one; `stackExists` where it is taken.
  func addStack(
    id: StackID?, label: String, kinds: [Kind], hookTokenName: String, at: Int64
  ) async throws(RegistryError) -> AddedStack
  /// All stacks, in the order of their ids.
  func stacks() async throws(RegistryError) -> [Stack]
  /// The stack of that id.
  func stack(_ id: StackID) async throws(RegistryError) -> Stack?
  /// The stack of that id, or the only one of that label; `notFound`, `ambiguous`.
  func stack(matching idOrLabel: String) async throws(RegistryError) -> Stack
  /// Replaces the kinds that a stack says it raises; doubles are dropped and the list order is restored.
  func setKinds(_ kinds: [Kind], of stack: StackID) async throws(RegistryError) -> Stack
  /// Says how long the windows of a stack's devices are; nil is the service's default. Brought to 0 to
  /// ``Stack/windowSecondsMaximum`` where it is outside.
  func setWindow(_ seconds: Int?, of stack: StackID) async throws(RegistryError) -> Stack
  /// Replaces the kinds that wake nobody unless the core asks for it; doubles are dropped and list order is restored.
  func setQuiet(_ kinds: [Kind], of stack: StackID) async throws(RegistryError) -> Stack
  /// Names a stack anew; `labelEmpty`.
  func setLabel(_ label: String, of stack: StackID) async throws(RegistryError) -> Stack
  /// Removes a stack and all that belongs to it.
  func removeStack(_ id: StackID) async throws(RegistryError)

  // MARK: VAPID keys

  /// The keys of a stack: the current one, then those that it replaced and that are still taken.
  func vapidKeys(of stack: StackID) async throws(RegistryError) -> [VAPIDKeyUse]
  /// Makes a new current key. Registrations stay with the key that their subscription was made with.
  func replaceVAPIDKey(of stack: StackID, at: Int64) async throws(RegistryError) -> [VAPIDKeyUse]
  /// Whether a device of that id was here, and was revoked or removed: known as long as its tokens are kept.
  func wasRevoked(_ id: DeviceID) async throws(RegistryError) -> Bool
  /// At most `limit` devices that hang on a replaced key, in the order of their ids, after `after`.
  func devices(
    onReplacedKeyOf stack: StackID, after: DeviceID?, limit: Int
  ) async throws(RegistryError) -> [Device]
  /// Forgets the replaced keys, and with them the subscriptions that were made with one; whose they were.
  func retireReplacedVAPIDKeys(of stack: StackID) async throws(RegistryError) -> [DeviceID]

  // MARK: Tokens

  /// A further token for a stack's core, shown once; `nameTaken`.
  func addHookToken(_ name: String, to stack: StackID, at: Int64) async throws(RegistryError) -> Token
  /// The hook tokens of a stack, the oldest first.
  func hookTokens(of stack: StackID) async throws(RegistryError) -> [NamedToken]
  /// Ends one hook token; `notFound`.
  func removeHookToken(_ name: String, of stack: StackID) async throws(RegistryError)
  /// A token for the admin listener on TCP, shown once; `nameTaken`.
  func addAdminToken(_ name: String, at: Int64) async throws(RegistryError) -> Token
  /// The admin tokens, the oldest first.
  func adminTokens() async throws(RegistryError) -> [NamedToken]
  /// Ends one admin token; `notFound`.
  func removeAdminToken(_ name: String) async throws(RegistryError)

  /// What `token` stands for; nil where it is unknown. The first use of a device's token ends its earlier ones.
  func credential(for token: Token, at: Int64) async throws(RegistryError) -> Credential?

  /// Those of these device tokens that stand for no device any more: revoked, removed, replaced by a newer one that was
  /// used, or never known. One read for a few thousand; it counts as no use of a token.
  func ended(_ tokens: [Token]) async throws(RegistryError) -> [Token]

  // MARK: Pairing

  /// A pairing code for one device of `stack`, valid before `expiresAt`.
  func addPairing(stack: StackID, at: Int64, expiresAt: Int64) async throws(RegistryError) -> Token
  /// At most `limit` codes that nobody has used and that have not expired, of one stack or of all, the next to expire
  /// first, after `after`. Where that one is no more there is no further page.
  func openPairings(
    of stack: StackID?, after: PairingID?, limit: Int, at: Int64
  ) async throws(RegistryError) -> [OpenPairing]
  /// Withdraws a code that nobody has used; `notFound`.
  func removePairing(_ id: PairingID, at: Int64) async throws(RegistryError)
  /// Registers a device, or merges into the one that is known by the code, the client or the endpoint.
  func register(_ registration: Registration, at: Int64) async throws(RegistryError) -> RegistrationResult

  // MARK: Devices

  /// The device of that id.
  func device(_ id: DeviceID) async throws(RegistryError) -> Device?
  /// At most `limit` devices that `filter` lets through, in the order of their ids, after `after`.
  func devices(_ filter: DeviceFilter, after: DeviceID?, limit: Int) async throws(RegistryError) -> [Device]
  /// The devices, on every stack, that hold this endpoint.
  func devices(holding endpointURL: String) async throws(RegistryError) -> [Device]
  /// Changes one device; `gone` where it was revoked, `notFound` where it never was.
  func updateDevice(
    _ id: DeviceID, _ change: DeviceChange, at: Int64
  ) async throws(RegistryError) -> DeviceUpdate
  /// Removes a device: its token stands for `.revoked` from now on, and the pairing code it came with ends.
  func removeDevice(_ id: DeviceID, at: Int64) async throws(RegistryError)

  // MARK: Alerts

  /// Records an alert, or finds the one that it repeats.
  func appendAlert(
    _ alert: NewAlert, to stack: StackID, at: Int64
  ) async throws(RegistryError) -> AppendedAlert
  /// At most `limit` alerts after `cursor`, oldest first; from the oldest kept where it is nil or cannot be honoured.
  func alerts(
    of stack: StackID, after cursor: String?, limit: Int
  ) async throws(RegistryError) -> AlertPage

  // MARK: What came of wakes

  /// A companion hands back a receipt: the attempt that carried it, and every earlier one to that device, has arrived,
  /// whatever its push server said. One that is unknown, another device's or known already changes nothing.
  ///
  /// - Returns: when the attempt that carried it was begun; nil where it changed nothing.
  @discardableResult
  func receive(_ receipt: String, from device: DeviceID, at: Int64) async throws(RegistryError) -> Int64?
  /// How a stack's wakes fare: its devices by state, and its push servers.
  func delivery(of stack: StackID, at: Int64) async throws(RegistryError) -> StackDelivery
  /// How the whole store stands, in numbers. It goes through all devices.
  func overview(at: Int64) async throws(RegistryError) -> StoreOverview
  /// At most `limit` push servers of all stacks, in the order of their origins, after `after`.
  func pushServers(
    after origin: String?, limit: Int, at: Int64
  ) async throws(RegistryError) -> [PushServerDelivery]
  /// At most `limit` attempts that `filter` lets through, newest first, before `before`.
  func attempts(
    _ filter: AttemptFilter, before: AttemptID?, limit: Int
  ) async throws(RegistryError) -> [Attempt]

  // MARK: Life

  /// Removes some of what has had its time, from `position` on: a step that takes milliseconds.
  func sweep(
    _ retention: Retention, from position: SweepPosition, at: Int64
  ) async throws(RegistryError) -> SweepStep

  /// Throws where the store cannot be read or its writer does not answer.
  func check() async throws(RegistryError)
  /// Throws where the disk does not take a change, or the store is not where it lay when it was opened. Nothing is
  /// different afterwards.
  func checkWrite() async throws(RegistryError)
  /// Throws `damaged` where the check of the whole file, which may still go on, found that.
  func checked() async throws(RegistryError)
  /// Whether a service key opens the store now.
  func isOpened(by serviceKey: SecretOctets) async throws(RegistryError) -> Bool
  /// Finishes what is queued and lets go of the files. Every later call throws `closed`.
  func close() async
}

extension RegistryStore {
  /// At most `limit` devices, of one stack or of all, in the order of their ids, after `after`.
  package func devices(
    stack: StackID?, after: DeviceID?, limit: Int
  ) async throws(RegistryError) -> [Device] {
    try await devices(DeviceFilter(stack: stack), after: after, limit: limit)
  }
}
