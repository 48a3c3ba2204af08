internal import HTTPListener
internal import StrictJSON

extension PushScript {
  /// The longest script. Rules have 100 octets or so.
  package static let octetsMaximum = 1_048_576
  /// The longest delay and the most repeats: a day, and what nobody waits for.
  static let delayMaximum: Int64 = 86_400_000
  static let timesMaximum: Int64 = 1_000_000_000
  /// Rules, and answers of one, so that looking one up stays short.
  static let rulesMaximum = 1_000

  /// Reads a script: a JSON object with `rules`. Throws the first place at fault.
  package init(reading octets: [UInt8]) throws(PushScriptError) {
    let value: JSONValue
    do throws(StrictJSONError) {
      value = try StrictJSON.parse(octets, limits: JSONLimits(octets: Self.octetsMaximum))
    } catch { throw PushScriptError(place: "", fault: "\(error)") }
    let script = try PushScriptPlace(value).object(members: ["rules"])
    rules = try script.list("rules", maximum: Self.rulesMaximum) { rule throws(PushScriptError) in
      try Rule(reading: rule)
    }
  }
}

extension PushScript.Rule {
  fileprivate init(reading place: PushScriptPlace) throws(PushScriptError) {
    let rule = try place.object(members: ["path", "answers", "after"])
    let path = rule["path"]
    guard let pattern = path.value?.string.flatMap(PathPattern.init) else {
      throw path.fault("is no pattern: a path that begins with / or *")
    }
    paths = pattern
    answers = try rule.list("answers", maximum: PushScript.rulesMaximum) { answer throws(PushScriptError) in
      try PushScript.Answer(reading: answer)
    }
    after = try rule.word("after", of: PushScript.After.self) ?? .last
  }
}

extension PushScript.Answer {
  fileprivate init(reading place: PushScriptPlace) throws(PushScriptError) {
    let answer = try place.object(
      members: ["status", "headers", "body", "delayMilliseconds", "times", "fault"])
    delayMilliseconds = Int(
      try answer.integer("delayMilliseconds", in: 0...PushScript.delayMaximum) ?? 0)
    times = Int(try answer.integer("times", in: 1...PushScript.timesMaximum) ?? 1)
    let status = try answer.integer("status", in: 200...599)
    let fault = try answer.word("fault", of: HostileFault.self)
    if let fault {
      for name in ["status", "headers", "body"] where answer[name].value != nil {
        throw answer[name].fault("does not go with a fault")
      }
      guard !fault.isBeforeTheBody else {
        throw answer["fault"].fault("happens before there is a request to count: name it by a path instead")
      }
      deed = .fault(fault)
    } else if let status {
      deed = .answer(
        HTTPResponse(
          status: Int(status), headers: try answer.headers("headers"),
          body: Array(try answer.text("body").utf8)))
    } else {
      for name in ["headers", "body"] where answer[name].value != nil {
        throw answer[name].fault("needs a status beside it")
      }
      deed = .asPlayed
    }
  }
}
