internal import StrictJSON

/// What push servers say by codes of their own, and what the operator can do about it.
///
/// Only what is recognised without doubt is explained; everything else is left to the push server's own words.
enum PushServerCode {
  /// A sentence about an answer that is no success; nil where it has no code that is known.
  static func advice(status: Int, body: [UInt8]) -> String? {
    if let json = try? StrictJSON.parse(body), json.object != nil {
      if let number = json["code"]?.integer, number / 100 == Int64(status) { return ntfy[number] }
      if let number = json["errno"]?.integer { return autopush[number] }
      return json["reason"]?.string.flatMap { apple[$0] }
    }
    // FCM answers in prose.
    let text = String(decoding: body, as: UTF8.self)
    return text.contains("do not correspond to the credentials used to create") ? otherKey : nil
  }

  private static let otherKey =
    "the subscription was made with another VAPID key; the app has to register again"

  /// ntfy: `{"code":42901,"http":429,"error":"…"}`.
  private static let ntfy: [Int64: String] = [
    40101: "ntfy asks for a login on this topic; run there: ntfy access everyone 'up*' write-only",
    40301: "ntfy lets nobody write to this topic unasked; run there: ntfy access everyone 'up*' write-only",
    41301: "ntfy took the wake for an attachment, which is too large or beyond the day's volume",
    42901: "too many requests for ntfy; name this host there in visitor-request-limit-exempt-hosts",
    42905: "the day's volume at ntfy is used up; it goes on tomorrow, or on an ntfy of your own",
    42908: "the day's messages at ntfy are used up; it goes on tomorrow, or on an ntfy of your own",
    50701: "no phone has listened on this ntfy topic of late; open the ntfy app on the phone",
  ]

  /// Mozilla's autopush: `{"code":401,"errno":109,"error":"…","message":"…"}`.
  private static let autopush: [Int64: String] = [
    102: "autopush does not know this endpoint; the app has to register again",
    103: ended, 105: ended, 106: ended,
    104: "autopush finds the wake too large",
    109: "autopush does not take the VAPID token; check this machine's clock, then WAKE_CONTACT",
    112: "autopush does not take the TTL; check WAKE_TTL",
    201: "autopush is busy and asks for patience",
    901: bridge, 902: bridge, 903: bridge,
  ]
  private static let ended = "the subscription has ended; the app has to register again"
  private static let bridge = "autopush could not reach the phone's own push service; that passes by itself"

  /// Apple: `{"reason":"BadJwtToken"}`.
  private static let apple = [
    "BadJwtToken":
      "Apple does not take the VAPID token; set WAKE_CONTACT to an address that can be reached, check the clock",
    "VapidPkHashMismatch": otherKey,
    "BadWebPushTopic": "Apple does not take the Topic, which is a fault of this service; report it",
  ]
}
