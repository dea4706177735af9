internal import CX11
internal import Glibc
import SelectionProtocol

/// Names and their numbers.
extension XConnection {
  /// Interns all names in one round trip.
  func internAtoms(_ names: [String]) -> [Atom] {
    guard !isDead, !names.isEmpty else { return names.map { _ in .none } }
    return withUnsafeTemporaryAllocation(
      of: UnsafeMutablePointer<CChar>?.self, capacity: names.count
    ) { pointers in
      for (index, name) in names.enumerated() {
        pointers.initializeElement(at: index, to: strdup(name))
      }
      defer { for pointer in pointers { free(pointer) } }
      return internAtoms(pointers)
    }
  }

  private func internAtoms(
    _ names: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>
  ) -> [Atom] {
    var atoms = [UInt](repeating: 0, count: names.count)
    guard XInternAtoms(display, names.baseAddress, CInt(names.count), False, &atoms) != 0 else {
      return names.map { _ in .none }
    }
    return atoms.map { Atom(UInt32(truncatingIfNeeded: $0)) }
  }

  /// The bytes of the atoms' names in one round trip; `nil` for what is no atom.
  func atomNames(_ atoms: [Atom]) -> [[UInt8]?] {
    guard !isDead, !atoms.isEmpty else { return atoms.map { _ in nil } }
    var raw = atoms.map { UInt($0.rawValue) }
    var names = [UnsafeMutablePointer<CChar>?](repeating: nil, count: atoms.count)
    // One unknown atom makes the call as a whole fail; the known ones are filled in all the same.
    _ = XGetAtomNames(display, &raw, CInt(atoms.count), &names)
    return names.map { name in
      guard let name else { return nil }
      defer { XFree(name) }
      return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }
  }
}
