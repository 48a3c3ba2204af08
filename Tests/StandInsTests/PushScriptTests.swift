import HTTPListener
import StandIns
import Testing

@Suite("Scripts of the push server")
struct PushScriptTests {
  private func rules(_ text: String, as plays: PushServerPersonality = .strict) throws -> PushServerRules {
    PushServerRules(as: plays, script: try PushScript(reading: Array(text.utf8)))
  }

  /// What is said to `count` messages in a row, to one path.
  private func said(_ rules: PushServerRules, _ count: Int, to target: String = "/up/phone") throws
    -> [String]
  {
    var push = try SamplePush()
    push.target = target
    return (0..<count).map { _ in
      switch rules.reaction(to: push.received).deed {
      case .answer(let answer): "\(answer.status)"
      case .fault(let fault): fault.rawValue
      }
    }
  }

  @Test(
    "answers come in turn, and then as the rule says",
    arguments: [
      ("", ["503", "503", "429", "429", "429"]), (#","after":"last""#, ["503", "503", "429", "429", "429"]),
      (#","after":"again""#, ["503", "503", "429", "503", "503"]),
      (#","after":"played""#, ["503", "503", "429", "201", "201"]),
    ])
  func order(after: String, statuses: [String]) throws {
    let answers = #"[{"status":503,"times":2},{"status":429}]"#
    let rules = try rules(#"{"rules":[{"path":"/up/*","answers":\#(answers)\#(after)}]}"#)
    #expect(try said(rules, 5) == statuses)
    #expect(try said(rules, 1, to: "/elsewhere") == ["201"])
  }

  @Test("an answer has its status, fields, body and delay; one without is what is played, later")
  func parts() throws {
    let rules = try rules(
      """
      {"rules":[{"path":"/up/phone","answers":[
        {"status":429,"headers":{"Retry-After":"120","X-A":"b"},"body":"slow down","delayMilliseconds":7},
        {"delayMilliseconds":9}]}]}
      """, as: .autopush)
    let push = try SamplePush().received
    let first = rules.reaction(to: push)
    #expect(first.delayMilliseconds == 7 && first.cause == "script" && first.faults == [])
    guard case .answer(let answer) = first.deed else { return }
    #expect(answer.header("retry-after") == "120" && answer.header("x-a") == "b")
    #expect(answer.body == Array("slow down".utf8))
    let second = rules.reaction(to: push)
    #expect(second.delayMilliseconds == 9)
    guard case .answer(let played) = second.deed else { return }
    #expect(played.status == 201 && played.header("TTL") == "86400")
  }

  @Test("the first rule that fits is the one, and goes before what the path asks for")
  func precedence() throws {
    let rules = try rules(
      #"{"rules":[{"path":"/gone/a","answers":[{"status":202}]},{"path":"*","answers":[{"status":204}]}]}"#)
    #expect(try said(rules, 1, to: "/gone/a?b=c") == ["202"])
    #expect(try said(rules, 1, to: "/gone/b") == ["204"])
  }

  @Test("a script may have faults, which need a server on bare sockets")
  func faults() throws {
    let rules = try rules(#"{"rules":[{"path":"*","answers":[{"fault":"reset"},{}],"after":"again"}]}"#)
    #expect(rules.needsRawSockets)
    #expect(try said(rules, 3) == ["reset", "201", "reset"])
    #expect(try !self.rules(#"{"rules":[{"path":"*","answers":[{}]}]}"#).needsRawSockets)
  }

  @Test(
    "a pattern fits",
    arguments: [
      ("/a", "/a"), ("/a*", "/a"), ("/a*", "/abc/d"), ("*", "/"), ("*/b", "/a/b"), ("/a/*/c", "/a/b/b/c"),
      ("/*a*b", "/xaaxb"), ("*b*", "/abc"), ("/**", "/a"),
    ])
  func fits(pattern: String, path: String) throws {
    #expect(try #require(PathPattern(pattern)).matches(path))
  }

  @Test(
    "a pattern does not fit",
    arguments: [
      ("/a", "/ab"), ("/a", "/"), ("/a*a", "/a"), ("/a*", "/b"), ("*/b", "/a/bc"), ("/a/*/c", "/a/c"),
      ("*x*", "/abc"),
    ])
  func fitsNot(pattern: String, path: String) throws {
    #expect(try !#require(PathPattern(pattern)).matches(path))
  }

  @Test(
    "a script that is wrong is refused with the place",
    arguments: [
      ("", "near octet"), ("[]", "is no JSON object"), ("{}", "/rules is no list"),
      (#"{"rules":[]}"#, "/rules is no list of 1"), (#"{"rules":[1]}"#, "/rules/0 is no object"),
      (#"{"rules":[],"rules":[]}"#, "two members"), (#"{"rule":[]}"#, "none of rules"),
      (#"{"rules":[{"answers":[{}]}]}"#, "/rules/0/path is no pattern"),
      (#"{"rules":[{"path":"up","answers":[{}]}]}"#, "/rules/0/path is no pattern"),
      (#"{"rules":[{"path":"/","answers":[]}]}"#, "/rules/0/answers is no list"),
      (#"{"rules":[{"path":"/","answers":[{}],"after":"twice"}]}"#, "/rules/0/after is none of last, again"),
      (#"{"rules":[{"path":"/","answers":[{},{"status":199}]}]}"#, "/rules/0/answers/1/status is no whole"),
      (#"{"rules":[{"path":"/","answers":[{"status":"x"}]}]}"#, "/rules/0/answers/0/status is no whole"),
      (
        #"{"rules":[{"path":"/","answers":[{"stauts":200}]}]}"#,
        "/rules/0/answers/0 has a member that is none"
      ),
      (#"{"rules":[{"path":"/","answers":[{"times":0}]}]}"#, "/rules/0/answers/0/times is no whole"),
      (#"{"rules":[{"path":"/","answers":[{"delayMilliseconds":-1}]}]}"#, "/delayMilliseconds is no whole"),
      (#"{"rules":[{"path":"/","answers":[{"body":"x"}]}]}"#, "/rules/0/answers/0/body needs a status"),
      (#"{"rules":[{"path":"/","answers":[{"status":200,"body":1}]}]}"#, "/body is no string"),
      (#"{"rules":[{"path":"/","answers":[{"status":200,"headers":[]}]}]}"#, "/headers is no object"),
      (
        #"{"rules":[{"path":"/","answers":[{"status":200,"headers":{"A":"b\r\nC: d"}}]}]}"#, "no header field"
      ),
      (#"{"rules":[{"path":"/","answers":[{"status":200,"headers":{"A b":"c"}}]}]}"#, "no header field"),
      (#"{"rules":[{"path":"/","answers":[{"fault":"bad"}]}]}"#, "/fault is none of silent"),
      (#"{"rules":[{"path":"/","answers":[{"fault":"reset","status":200}]}]}"#, "/status does not go with"),
      (#"{"rules":[{"path":"/","answers":[{"fault":"early-close"}]}]}"#, "name it by a path"),
    ])
  func refusals(text: String, words: String) {
    do {
      _ = try PushScript(reading: Array(text.utf8))
      Issue.record("it was taken")
    } catch {
      #expect(error.description.contains(words), "\(error)")
    }
  }
}
