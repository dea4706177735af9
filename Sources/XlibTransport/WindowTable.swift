import SelectionProtocol

/// What belongs to windows, by their number.
///
/// A command knows two or three windows. They stand in an array: the first use of each kind of `Dictionary` makes the
/// runtime search every conformance of the program, which takes longer than all else that is done with them.
struct WindowTable<Value> {
  private var few: [(window: Window, value: Value)] = []
  /// None of these is among the few.
  private var many: [Window: Value] = [:]
  private static var mostFew: Int { 8 }

  var isEmpty: Bool { few.isEmpty && many.isEmpty }
  var count: Int { few.count + many.count }

  /// All there is at this moment: the table may change while it is gone through.
  var all: [(window: Window, value: Value)] {
    many.isEmpty ? few : few + many.map { ($0.key, $0.value) }
  }

  subscript(window: Window) -> Value? {
    get {
      for entry in few where entry.window == window { return entry.value }
      return many.isEmpty ? nil : many[window]
    }
    set {
      if let index = few.firstIndex(where: { $0.window == window }) {
        if let newValue { few[index].value = newValue } else { few.remove(at: index) }
      } else if !many.isEmpty, many[window] != nil {
        many[window] = newValue
      } else if let newValue {
        if few.count < Self.mostFew {
          few.append((window, newValue))
        } else {
          many[window] = newValue
        }
      }
    }
  }
}
