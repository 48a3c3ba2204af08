// swift-tools-version: 6.2
import PackageDescription

let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
/// Code that ships also marks every unsafe operation.
let shipped: [SwiftSetting] = house + [.strictMemorySafety()]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: shipped)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude, swiftSettings: house)
}

let package = Package(
  name: "wake",
  products: [
    .executable(name: "wake", targets: ["wake"]),
    .library(name: "WebPushCrypto", targets: ["WebPushCrypto"]),
  ],
  targets: [
    // C libraries of the system: a module map and a shim header each, no logic.
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),

    // Dependencies point up this list only.
    module("CryptoPrimitives", ["COpenSSL"]),
    module("StrictJSON", ["CJansson"]),
    module("WebPushCrypto", ["CryptoPrimitives", "StrictJSON"]),
    module("KindCatalogue", ["CryptoPrimitives"]),
    module(
      "EndpointRegistry", ["KindCatalogue", "WebPushCrypto", "CryptoPrimitives", "StrictJSON", "CSQLite"]),
    module("HTTPClient", ["CCurl", "COpenSSL"]),
    module("PushDelivery", ["WebPushCrypto", "CryptoPrimitives", "StrictJSON", "HTTPClient", "CCurl"]),
    module("HTTPListener", ["CMicroHTTPD", "CGnuTLS"]),
    module(
      "WakeServer",
      [
        "HTTPListener", "HTTPClient", "KindCatalogue", "StrictJSON", "EndpointRegistry", "PushDelivery",
        "WebPushCrypto", "CryptoPrimitives",
      ]),
    module(
      "StandIns",
      [
        "WakeServer", "HTTPListener", "HTTPClient", "WebPushCrypto", "CryptoPrimitives", "StrictJSON",
        "COpenSSL",
      ]),
    .executableTarget(
      name: "wake",
      dependencies: [
        "WakeServer", "StandIns", "HTTPListener", "EndpointRegistry", "KindCatalogue", "StrictJSON",
        "HTTPClient",
        "WebPushCrypto", "CryptoPrimitives", "PushDelivery", "CQREncode",
      ],
      swiftSettings: shipped),

    .executableTarget(
      name: "WakeBench",
      dependencies: [
        "wake", "StandIns", "WakeServer", "EndpointRegistry", "HTTPClient", "StrictJSON", "KindCatalogue",
        "WebPushCrypto", "CryptoPrimitives", "COpenSSL", "CCurl",
      ],
      path: "Benchmarks/WakeBench", exclude: ["hook.lua"], swiftSettings: house),

    .target(
      name: "TestSupport", dependencies: ["COpenSSL"], path: "Tests/TestSupport", swiftSettings: house),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "TestSupport", "WakeServer", "HTTPListener", "StrictJSON", "EndpointRegistry", "KindCatalogue",
        "PushDelivery", "WebPushCrypto", "CryptoPrimitives",
      ],
      path: "Tests/FuzzTargets", swiftSettings: house),
    tests("CryptoPrimitivesTests", ["CryptoPrimitives"]),
    tests("WebPushCryptoTests", ["WebPushCrypto", "CryptoPrimitives"]),
    tests("KindCatalogueTests", ["KindCatalogue"]),
    tests("StrictJSONTests", ["StrictJSON"]),
    tests(
      "EndpointRegistryTests",
      ["EndpointRegistry", "KindCatalogue", "WebPushCrypto", "CryptoPrimitives", "StrictJSON", "CSQLite"]),
    tests("HTTPClientTests", ["HTTPClient", "CryptoPrimitives"]),
    tests("PushDeliveryTests", ["PushDelivery", "WebPushCrypto", "CryptoPrimitives", "HTTPClient"]),
    tests("HTTPListenerTests", ["HTTPListener", "HTTPClient", "CryptoPrimitives"]),
    tests(
      "WakeServerTests",
      [
        "WakeServer", "StandIns", "HTTPListener", "HTTPClient", "StrictJSON", "EndpointRegistry",
        "KindCatalogue", "PushDelivery", "WebPushCrypto", "CryptoPrimitives",
      ]),
    tests(
      "StandInsTests",
      [
        "StandIns", "WakeServer", "PushDelivery", "HTTPListener", "HTTPClient", "StrictJSON", "WebPushCrypto",
        "CryptoPrimitives",
      ]),
    tests(
      "EndToEndTests",
      [
        "wake", "StandIns", "WakeServer", "EndpointRegistry", "KindCatalogue", "CSQLite", "HTTPClient",
        "StrictJSON",
        "WebPushCrypto", "CryptoPrimitives",
      ],
      exclude: ["prosody"]),
    tests("FuzzTargetsTests", ["FuzzTargets"]),
    tests("TidyTests", []),
  ]
)

// libFuzzer brings the main function, so this links under `--sanitize fuzzer` alone: `make fuzz`.
if Context.environment["WAKE_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "WakeFuzz", dependencies: ["FuzzTargets"], path: "Tests/WakeFuzz", swiftSettings: house))
}
