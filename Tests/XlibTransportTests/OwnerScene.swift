import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// A server, our requestor, and a peer that owns CLIPBOARD and does what a test tells it, step by step.
struct OwnerScene {
  let server: XServer
  let requestor: SelectionConnection
  let peer: Peer
  let window: String

  init() throws {
    server = try XServer()
    requestor = try SelectionConnection(display: server.display)
    peer = try Peer(display: server.display)
    window = try peer.ask("window")
    try #require(try peer.ask("own CLIPBOARD \(window) 0") == "owned")
  }
}

/// A conversion under way, and what the owner was asked.
struct RunningConversion {
  let outcome: Box<ConversionOutcome?>
  let bytes: Box<[UInt8]>
  let token: ConversionToken?
  /// Window, selection, target, property and time, as the peer's `notify` takes them.
  let request: String
  let window: String
  let property: String

  var failure: ConversionFailure.Code? {
    if case .failure(let failure) = outcome.value { failure.code } else { nil }
  }
  var reply: ConversionReply? { try? outcome.value?.get() }
}

/// A suite in which a scripted owner answers our requestor.
protocol OwnerSceneSuite {
  var scene: OwnerScene { get }
}

extension OwnerSceneSuite {
  var server: XServer { scene.server }
  var requestor: SelectionConnection { scene.requestor }
  var peer: Peer { scene.peer }
  var window: String { scene.window }

  func begin(
    _ target: String = "UTF8_STRING", limits: TransferLimits = TransferLimits()
  ) throws -> RunningConversion {
    let bytes = Box<[UInt8]>([])
    let outcome = Box<ConversionOutcome?>(nil)
    let token = requestor.convert(
      Conversion(
        selection: requestor.atoms.clipboard, target: requestor.atom(target), limits: limits),
      receive: { chunk, _, _ in bytes.value += chunk }, completion: { outcome.value = $0 })
    let request = try peer.ask("requested", turning: [requestor])
    let words = request.split(separator: " ").map(String.init)
    try #require(words.count == 5)
    return RunningConversion(
      outcome: outcome, bytes: bytes, token: token, request: request, window: words[0],
      property: words[3])
  }

  func end(_ running: RunningConversion, within milliseconds: Int64 = 15_000) throws {
    #expect(try turn([requestor], within: milliseconds) { running.outcome.value == nil })
  }

  func answer(_ words: String) throws -> String {
    try peer.ask(words, turning: [requestor])
  }

  /// Stores the header of an INCR, notifies, and waits until it was taken.
  func header(
    _ running: RunningConversion, _ hex: String = "x10000000", format: Int = 32
  ) throws {
    try peer.ask("store \(running.window) \(running.property) INCR \(format) \(hex)")
    try peer.ask("notify \(running.request)")
    #expect(try answer("deleted \(running.window) \(running.property)") == "done")
  }

  /// Stores a part of an INCR, and waits until it was taken.
  func chunk(
    _ running: RunningConversion, _ data: String, type: String = "UTF8_STRING", format: Int = 8
  ) throws {
    try peer.ask("store \(running.window) \(running.property) \(type) \(format) \(data)")
    #expect(try answer("deleted \(running.window) \(running.property)") == "done")
  }

  /// Nothing of what went wrong disturbs the next conversion.
  func expectNextIsFine() throws {
    let next = try begin()
    try peer.ask("store \(next.window) \(next.property) UTF8_STRING 8 11")
    try peer.ask("notify \(next.request)")
    try end(next)
    #expect(next.bytes.value == text(11))
    #expect(requestor.load.conversions == 0)
    #expect(requestor.load.watchedWindows <= 1 + requestor.load.retiredWindows)
  }
}
