package import EndpointRegistry
internal import Glibc

extension ServiceKeySource {
  /// The name of the systemd credential that holds the service key (`LoadCredential=wake-service-key:…`).
  package static let credentialName = "wake-service-key"

  /// The credential of this name in `folder` (`$CREDENTIALS_DIRECTORY`), or nil where there is none.
  static func systemdCredential(in folder: String) -> ServiceKeySource? {
    unsafe access("\(folder)/\(credentialName)", F_OK) == 0 ? .systemdCredential(credentialName) : nil
  }
}
