/// What adding a stack gives: the stack, and the one showing of its first hook token.
package struct AddedStack: Sendable {
  /// The stack as it is now.
  package let stack: Stack
  /// The token that its core raises alerts with.
  package let hookToken: Token

  /// Both members, for stores and tests.
  package init(stack: Stack, hookToken: Token) {
    self.stack = stack
    self.hookToken = hookToken
  }
}
