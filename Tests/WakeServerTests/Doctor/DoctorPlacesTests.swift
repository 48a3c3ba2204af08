import EndpointRegistry
import StandIns
import StrictJSON
import Synchronization
import Testing

@testable import WakeServer

@Suite("Companions take turns at the doctor")
struct DoctorPlacesTests {
  @Test("a second examination of a device is turned away meanwhile, counts for nothing, and is no error")
  func oneAtATime() async throws {
    let errors = Mutex<[String]>([])
    let clock = TestClock()
    let log = Log(from: .error) { line in errors.withLock { $0.append(line) } }
    try await TestService.with(
      clock: clock.wall, steady: clock.steady, delivers: false, log: log
    ) { service in
      let phone = try await service.phone()
      let description = try await APIDescription(of: service)
      func ask() async throws -> Reply {
        try await service.send("POST", "\(service.path(of: phone))/doctor?wait=60", token: phone.token)
      }
      func handBack() async throws {
        let receipt = try #require(try service.receipts(at: phone).last)
        #expect(try await service.handBack(.string(receipt), from: phone).status == 204)
      }
      for number in 1...5 {
        async let first = ask()
        _ = await service.pushServer.wait(for: number)
        let second = try await ask()
        #expect(second.status == 409 && second.code == "examination-under-way")
        let path = "/v1/stacks/{stack}/devices/{device}/doctor"
        #expect(description.faults("POST", path, second) == [])
        try await handBack()
        #expect(try await first.status == 200)
      }
      // Five of six were taken; without the wake's answer the last one is there, and then none.
      service.pushServer.answer(phone.target, with: 500)
      #expect(try await ask().status == 200)
      #expect(try await ask().status == 429)
    }
    #expect(errors.withLock(\.self) == [])
  }

  @Test(
    "a companion waits for a minute at most, as it holds a place meanwhile",
    arguments: [(60, 200), (61, 400)])
  func longest(seconds: Int, status: Int) async throws {
    try await TestService.with(delivers: false) { service in
      let companion = try Companion()
      let phone = try service.phone(
        companion, try await service.register(["client": .string(companion.client)]))
      let reply = try await service.send(
        "POST", "\(service.path(of: phone))/doctor?wait=\(seconds)", token: phone.token)
      #expect(reply.status == status)
    }
  }

  @Test("where all places are taken others are told when to come again")
  func full() throws {
    let places = DoctorPlaces()
    let devices = try (0..<65).map { number in
      try #require(DeviceID(Self.digits(number) + String(repeating: "a", count: 24)))
    }
    for device in devices.dropLast() { try places.take(for: device) }
    let last = try #require(devices.last)
    let problem = try #require(throws: Problem.self) { try places.take(for: last) }
    #expect(problem.code == .unavailable && problem.isTurnedAway)
    #expect(problem.headers.contains { $0.name == "Retry-After" && $0.value == "72" })
    places.giveBack(of: try #require(devices.first))
    try places.take(for: last)
  }

  /// Two digits of base 32.
  private static func digits(_ number: Int) -> String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
    return String([alphabet[number / 32], alphabet[number % 32]])
  }
}
