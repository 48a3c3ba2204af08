internal import EndpointRegistry
internal import PushDelivery

/// Finds the broken link between the configuration and the receipt, and says how to mend it.
struct Doctor: Sendable {
  let store: any RegistryStore
  let pipeline: WakePipeline
  let policy: AddressPolicy
  let clock: WallClock
  let settings: DoctorSettings
  let visits: DoctorVisits

  /// The service, every push server in use, and the devices that need a look.
  func examineAll(_ examination: Examination) async {
    await examineService(examination)
    guard !examination.isBroken(.store) else { return }
    do throws(RegistryError) {
      // Before the push servers: what they refuse may follow from it.
      examination.add(ClockCheck(sighting: pipeline.sightings.newest).timed)
      try await examinePushServers(examination)
      try await examineDevices(examination)
    } catch {
      examination.add(StoreFault(error).finding)
    }
  }

  /// What every wake and every read hangs on. Only the operator is told of it, and of the settings.
  func examineService(_ examination: Examination) async {
    examination.configuration = settings.inForce
    examination.add(ConfigurationCheck(settings: settings).findings)
    let written = await StoreWriteCheck(store: store, path: settings.databasePath).finding()
    examination.add(written)
    guard written.verdict != .fault else {
      return examination.skip([.serviceKey, .publicURL, .certificate], after: .store)
    }
    examination.add(await ServiceKeyCheck(store: store, source: settings.serviceKey).finding())
    examination.add(await PublicURLCheck(settings: settings, visits: visits, clock: clock).findings())
  }
}
