/// A queue: what comes first goes first, each step in constant time on average.
package struct FirstInFirstOut<Element> {
  private var elements: [Element?] = []
  private var head = 0

  /// An empty queue.
  package init() {}

  /// How many wait.
  package var count: Int { elements.count - head }
  /// Whether none waits.
  package var isEmpty: Bool { head == elements.count }

  /// Adds at the end.
  package mutating func append(_ element: Element) { elements.append(element) }

  /// Adds at the front: it goes before all that wait.
  package mutating func prepend(_ element: Element) {
    if head > 0 {
      head -= 1
      elements[head] = element
    } else {
      elements.insert(element, at: 0)
    }
  }

  /// Takes the first.
  package mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    // Half of the array is holes: close them, which costs as much as the appends that made them.
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}
