import KindCatalogue
import WakeServer

extension Command {
  static let kinds = Command("kinds", summary: "list the kinds of alerts", takesSettings: false) {
    invocation throws(CommandError) in
    try invocation.answer(
      Presentation.catalogue,
      people: Table.lines(
        ["KIND", "REACHES", "WHAT IT IS"], Kind.allCases.map { [$0.name, $0.audience, $0.summary] }, empty: ""
      ))
  }
}
