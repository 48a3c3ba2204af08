internal import EndpointRegistry

extension StoreOverview {
  /// Writes the metrics of state; without series where `overview` is nil.
  static func write(_ overview: StoreOverview?, to exposition: inout Exposition) {
    func series(_ value: (StoreOverview) -> Double) -> [Exposition.Series] {
      overview.map { [.init([], .number(value($0)))] } ?? []
    }
    func seconds(_ milliseconds: Int64?) -> Double { Double(milliseconds ?? 0) / 1_000 }
    exposition.write(
      .devices,
      overview.map { overview in
        DeviceState.allCases.map { .init([$0.rawValue], .number(Double(overview.devices[$0] ?? 0))) }
      } ?? [])
    exposition.write(.devicesWaiting, series { Double($0.devicesWaiting) })
    exposition.write(.stacks, series { Double($0.stacks) })
    exposition.write(
      .holds,
      overview.map {
        [
          .init(["endpoint"], .number(Double($0.endpointHolds))),
          .init(["push_server"], .number(Double($0.originHolds))),
        ]
      } ?? [])
    exposition.write(.lastReceipt, series { seconds($0.lastReceiptAt) })
    exposition.write(.unansweredAlert, series { seconds($0.unansweredAlertAt) })
    exposition.write(.storeReadable, [.init([], .number(overview == nil ? 0 : 1))])
  }
}
