import CoreTransferable
import Foundation
import TestServer
import Testing
import UniformTypeIdentifiers
import X11Pasteboard

/// Owners whose lists of targets are strange.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ListTests {
  private let server: XServer
  private let clipboard: Pasteboard

  init() async throws {
    server = try XServer()
    clipboard = try await Pasteboard.clipboard(display: server.display)
  }

  /// How TARGETS is answered, and the types that are seen in it.
  private static let lists: [(answer: String, types: [UTType]?)] = [
    (
      "put(e, atom('TARGETS'), 32, [atom('UTF8_STRING'), atom('image/png')])",
      [.utf8PlainText, .png]
    ),
    ("put(e, Xatom.ATOM, 32, [])", []),
    (
      "put(e, Xatom.ATOM, 32, [0, atom('image/png'), 0, 4294967295, 4000000, atom('image/png'), 0])",
      [.png]
    ),
    ("put(e, Xatom.ATOM, 32, [e.target, atom('MULTIPLE'), atom('TIMESTAMP'), atom('DELETE')])", []),
    // Long, with what is of use at the end of what is read, and nonsense behind it.
    ("put(e, Xatom.ATOM, 32, [5000000] * 4095 + [atom('image/png')] + [5000000] * 50000)", [.png]),
    ("put(e, Xatom.ATOM, 32, [atom('x' * 300), atom('a\\nb/c'), atom('image/png')])", [.png]),
    // No lists: the owner is taken to keep its list to itself.
    ("put(e, Xatom.ATOM, 8, b'image/png')", nil),
    ("put(e, Xatom.ATOM, 16, [1, 2, 3])", nil),
    ("put(e, Xatom.INTEGER, 32, [1, 2, 3])", nil),
    ("put(e, Xatom.STRING, 8, b'')", nil),
  ]

  @Test(arguments: 0..<lists.count)
  func listsAreReadAsFarAsTheyMakeSense(index: Int) async throws {
    let (answer, types) = Self.lists[index]
    let peer = try await clipboard.ownedByScript(
      """
      def request(e):
          if name(e) == 'TARGETS': \(answer)
          elif name(e) in ('UTF8_STRING', 'image/png'): put(e, e.target, 8, b'content')
          else: refuse(e)
      """, display: server.display)
    let seen = try await clipboard.contentTypes()
    if let types {
      #expect(seen == types)
      if types.contains(.png) {
        #expect(try await clipboard.data(of: .png) == Data("content".utf8))
      } else {
        #expect(await failure { try await clipboard.data(of: .png) }?.code == .notOnOffer)
      }
    } else {
      #expect(try await clipboard.paste(String.self) == ["content"])
      #expect(try await clipboard.data(of: .png) == Data("content".utf8))
    }
    withExtendedLifetime(peer) {}
  }

  @Test func aListThatComesByINCRIsRead() async throws {
    let peer = try await clipboard.ownedByScript(
      """
      asked = None
      parts = [[atom('UTF8_STRING')], [atom('image/png')], []]
      def request(e):
          global asked, left
          if name(e) == 'TARGETS':
              asked, left = e, list(parts)
              begin_incr(e, Xatom.ATOM)
          else: put(e, e.target, 8, b'content')
      def changed(e):
          if asked is None or e.state != X.PropertyDelete or e.window != asked.requestor or not left: return
          asked.requestor.change_property(asked.property, Xatom.ATOM, 32, left.pop(0))
          d.flush()
      """, display: server.display)
    #expect(try await clipboard.contentTypes() == [.utf8PlainText, .png])
    #expect(try await clipboard.paste(String.self) == ["content"])
    withExtendedLifetime(peer) {}
  }
}
