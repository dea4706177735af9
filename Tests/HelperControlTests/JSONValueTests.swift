import Foundation
import Testing

@testable import HelperControl

@Suite struct JSONValueTests {
  private func value(_ text: String) -> JSONValue? { JSONValue(Array(text.utf8)) }

  @Test func valuesAreRead() {
    #expect(
      value(" { \"a\" : [ 1 , -2, true,false , null ], \"b\":{} } ")
        == .object([
          "a": .array([.number(1), .number(-2), .flag(true), .flag(false), .null]),
          "b": .object([:]),
        ]))
  }

  @Test(arguments: [
    ("\\u00e9\\u4e2d\\ud83d\\ude42", "é中🙂"),
    ("\\\"\\\\\\/\\n\\t\\r\\b\\f", "\"\\/\n\t\r\u{8}\u{C}"),
    ("é", "é"), ("", ""),
  ])
  func textsAreUnescaped(written: String, read: String) {
    #expect(value("\"\(written)\"") == .text(Array(read.utf8)))
  }

  @Test(arguments: [
    "", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "\"open", "\"\\x\"", "\"\\ud800\"", "\"\\u12\"",
    "1.5",
    "tru", "1 2", "\"\u{1}\"", "-", "99999999999999999999",
  ])
  func whatIsNoValueIsRefused(text: String) { #expect(value(text) == nil) }

  @Test func depthIsBounded() {
    #expect(value(String(repeating: "[", count: 100_000)) == nil)
  }

  @Test func whatIsQuotedIsReadBack() {
    let text = "a\"b\\c\n\u{1}é🙂"
    #expect(JSONValue(JSONValue.quoted(text)) == .text(Array(text.utf8)))
  }

  @Test(arguments: 0..<67) func base64ComesBack(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ 3) }
    var text: [UInt8] = []
    Base64.encode(bytes[...], onto: &text)
    #expect(String(decoding: text, as: UTF8.self) == Data(bytes).base64EncodedString())
    #expect(Base64.decode(text) == bytes)
  }

  @Test(arguments: ["A", "AB", "A===", "AA=A", "AA\nA", "A*AA", "====", "=AAA"])
  func whatIsNoBase64IsRefused(text: String) {
    #expect(Base64.decode(Array(text.utf8)) == nil)
  }
}
