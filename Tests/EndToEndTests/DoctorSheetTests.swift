import StrictJSON
import Testing
import WakeServer

@testable import wake

@Suite("What wake doctor says at the end")
struct DoctorSheetTests {
  @Test("that it works is not said where phones are not reached", arguments: ["devices", "public-url"])
  func end(link: String) {
    var text = ""
    var sheet = DoctorSheet(screen: Screen(columns: nil, lines: nil, colour: false)) { text += $0 }
    sheet.add(DoctorLine(["link": .string(link), "verdict": "warning", "seen": "seen"]))
    sheet.end(verdict: "warning", fix: nil)
    #expect(text.contains("It works.") == (link != "devices"))
    #expect(text.contains("Phones that are named above were not reached") == (link == "devices"))
  }

  @Test("that it works is not said where nobody looked for a receipt", arguments: ["ok", "warning"])
  func open(verdict: String) {
    var text = ""
    var sheet = DoctorSheet(screen: Screen(columns: nil, lines: nil, colour: false)) { text += $0 }
    sheet.add(DoctorLine(["link": "receipt", "verdict": "skipped", "seen": "not waited for"]))
    sheet.end(verdict: verdict, fix: nil)
    #expect(text.contains("Whether the phone gets a wake was not looked at."))
    #expect(!text.contains("It works") && !text.contains("All is well"))
  }
}
