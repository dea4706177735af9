public import SelectionProtocol

/// Names one copy: the content of the clipboard between two changes of its owner.
public struct CopyID: Hashable, Sendable, RawRepresentable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// Names one wish that the present copy be saved.
public struct SaveID: Hashable, Sendable, RawRepresentable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// What the helper has to do for the keeping of copies, in this order.
public enum KeepingAction: Hashable, Sendable {
  /// Ask the owner for its targets, and report with `listed`.
  case list(CopyID, limits: TransferLimits)
  /// Ask the owner for the value of a hint, and report with `hintRead`.
  case readHint(CopyID, target: String, limits: TransferLimits)
  /// Ask the owner how large its targets are, and report with `sized`.
  case readSizes(CopyID, limits: TransferLimits)
  /// Read a target, tell `received` of each piece, and report with `read`.
  case read(CopyID, target: String, limits: TransferLimits)
  /// Give running reads of a copy up, and report nothing of them any more.
  case cancelReads(CopyID)
  /// Own the clipboard with these targets of the copy, and report with `acquired`.
  ///
  /// Where `fromOwner` is `none` the clipboard must have no owner, otherwise just that one. `offered` is what the
  /// owner had on offer where only a part of it was read: what follows from that part may be offered too.
  /// `time` is the earliest that does it, so that whatever is newer wins; zero where it is not known.
  case acquire(
    CopyID, targets: [String], offered: [String], fromOwner: Window, time: ServerTime)
  /// These targets of a copy are safe now.
  case kept(CopyID, targets: [String])
  /// Forget the bytes of a copy.
  case forget(CopyID)
  /// Answer a wish to save.
  case answer(SaveID, isKept: Bool)
  /// The present copy's early bytes are complete.
  case settled(CopyID)
  /// Something worth telling whoever asks what the helper did; holds no content.
  case note(KeepingNote)
}

/// One decision, without any content.
public enum KeepingNote: Hashable, Sendable {
  case secret
  case ignored
  case ruledOut
  case paused
  case cleared
  /// `left` targets could not be had, `tooLarge` of them since they have too many bytes.
  case saved(targets: Int, bytes: Int, left: Int, tooLarge: Int)
  case notSaved(Refusal)
  case restored(targets: Int, bytes: Int)
  case lost
  case tookOver(targets: Int, bytes: Int)
  case replaced
}

/// Why a copy is not kept.
public enum Refusal: String, Hashable, Sendable {
  case nothingThere = "nothing is on the clipboard"
  case secret = "the copy is marked as a secret"
  case ignored = "the copy was to be ignored"
  case ruledOut = "a rule says to ignore its program or type"
  case tooLarge = "it is larger than what may be kept"
  case tooLargeEarly = "it is larger than what is read before its program asks for it"
  case paused = "the helper is paused"
  case ownerSilent = "the owner does not answer"
  case nothingKept = "nothing of it could be read"
  case replaced = "another copy took its place"
  case tooOften = "it was asked for too often"
  case notReadEarly = "it is read only when its program asks for it"
  case lostToAnother = "another program took the clipboard"
  case helperEnds = "the helper ends"
}
