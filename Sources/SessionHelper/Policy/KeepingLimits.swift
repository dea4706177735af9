/// How much is kept, and how long anything may take. Sizes are in bytes, times in milliseconds.
public struct KeepingLimits: Sendable, Equatable {
  /// The most of one target.
  public var target = 32 << 20
  /// The most of one copy.
  public var copy = 64 << 20
  /// The most of everything, contents that are still being sent to others included.
  public var memory = 96 << 20

  /// Whether cheap targets are read without anybody having asked for it.
  public var readsEarly = true
  /// The most of one early target that is not text.
  public var earlyTarget = 256 << 10
  /// The most of an early text.
  public var earlyText = 4 << 20
  /// The most of all early targets together.
  public var earlyCopy = 5 << 20

  /// The most of a picture that is read early, which the user has to ask for.
  public var earlyPicture = 16 << 20
  /// From a change of the owner to the early reading of a picture.
  public var picturePause: Int64 = 2_000

  /// From a change of the owner to the early questions, after a time without changes.
  public var pause: Int64 = 40
  /// The same while one change follows the other.
  public var stormPause: Int64 = 150
  /// How long there must have been no change for `pause` to apply.
  public var calm: Int64 = 1_000
  /// From the owner's end to the restoring of its content; SelectionWatch has waited before.
  public var grace: Int64 = 25
  /// What a read in progress gets more than that, when its owner is gone.
  public var lastReads: Int64 = 300

  /// Until an owner has said what it offers.
  public var listing: Int64 = 2_000
  /// Until the hint's value is there.
  public var hint: Int64 = 1_000
  /// Without progress in a transfer.
  public var idle: Int64 = 3_000
  /// From the request to save to its answer: Qt waits five seconds.
  public var save: Int64 = 4_500
  /// From the first early question to the last early byte.
  public var early: Int64 = 5_000
  /// Reads that run side by side while a copy is saved. Qt, on its way out, may forget one of two requests.
  public var readsAtOnce = 1
  /// How often one copy may be asked to be saved.
  public var savesPerCopy = 8
  /// How long `ignore-next` waits for its copy.
  public var ignoreNext: Int64 = 60_000

  public init() {}
}
