import EndpointRegistry
import Testing

@testable import wake

@Suite("What a report hides of where files lie, and where no server answers")
struct PlaceHiderTests {
  private static let hider = PlaceHider(
    named: [
      ("/srv/alice/state/wake.sqlite", "<store>"), ("/srv/alice/state", "<state>"), ("/home/alice", "<home>"),
      ("/", "<never>"),
    ],
    files: [
      "/media/alice smith/my certs/ca.pem", "/home/alice/own certs/key.pem", "alice/relative.pem",
      "plain.pem",
      "/run/alice/wake.sock",
    ],
    owners: ["alice"])

  static let paths = [
    // What is known, with whatever letters.
    ("/media/alice smith/my certs/ca.pem: No such file", "<folder>/ca.pem: No such file"),
    ("/home/alice/own certs/key.pem is empty", "<home>/key.pem is empty"),
    ("alice/relative.pem, line 3", "<folder>/relative.pem, line 3"),
    ("plain.pem is empty", "plain.pem is empty"),
    ("df /srv/alice/state/wake.sqlite-wal", "df <store>-wal"), ("ls -ld /srv/alice/state", "ls -ld <state>"),
    ("/srv/alice/state/keys/alice/tls.key", "<state>/tls.key"), ("cd /home/alice", "cd <home>"),
    // What leads to it ends with somebody's name.
    ("/srv/alice is closed", "<folder> is closed"), ("(/run/alice)", "(<folder>)"),
    ("unix:/run/alice/wake.sock", "unix:<folder>/wake.sock"), ("ls /run/alice/", "ls <folder>"),
    // What nobody named.
    ("cannot open /var/mnt/bob/a.pem.", "cannot open <folder>/a.pem."), ("'/mnt/bob/x'", "'<folder>/x'"),
    ("A=/mnt/bob/x,/mnt/eve/y", "A=<folder>/y"), ("file:///mnt/bob/x", "file:<folder>/x"),
    ("//mnt/bob/x: no", "<folder>/x: no"), ("sqlite:/mnt/bob/x", "sqlite:<folder>/x"),
    ("run it as that user: sudo -u alice wake …", "run it as that user: sudo -u <owner> wake …"),
  ]

  @Test("a path keeps its last part behind a word, whatever it is", arguments: paths)
  func hides(text: String, expected: String) { #expect(Self.hider.hiding(text) == expected) }

  @Test(
    "what is no path stays",
    arguments: [
      "https://ntfy.example/docs/a?b=/c/d", "http://10.0.0.1:8090/v1/x", "10.0.0.0/8,fd00::/8", "and/or",
      "POST /v1/stacks/abc/alerts", "/metrics", "text/event-stream", "a / b", "--database sqlite:/PATH",
      "sudo -u USER wake doctor", "2026-11-30T19:00:00Z", "",
    ])
  func keeps(text: String) { #expect(Self.hider.hiding(text) == text) }

  static let errors: [(RegistryError?, Int32)] = [
    (nil, 3), (.storageFull, 3), (.busy, 3), (.storeMissing("/store"), 3),
    (.file(errorNumber: 20, path: "/store"), 3), (.sqlite(code: 10, operation: "open"), 3),
    (.damaged("/store"), 4), (.serviceKeyUnusable("why"), 4), (.serviceKeyCommand("why"), 4),
    (.newerSchema(found: 9, known: 4), 4), (.readOnly("/store"), 4), (.servedByOtherName("/store"), 4),
  ]

  @Test("without a server the exit code is 3, or 4 where the store cannot be used", arguments: errors)
  func exitCode(error: RegistryError?, exitCode: Int32) {
    #expect(DoctorRun.exitCode(withoutServer: error) == exitCode)
  }
}
