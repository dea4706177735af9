import SelectionProtocol

/// Atoms and their names, both ways, remembered for the life of a connection.
struct AtomTable {
  private struct Entry {
    let name: String
    let atom: Atom
  }

  /// The first names. A command never sees more, and the tables' types would cost its start more than they save.
  private var few: [Entry] = []
  private static let mostFew = 48
  private var atomsByName: [String: Atom] = [:]
  private var namesByAtom: [Atom: String] = [:]

  /// The longest name that is interned or told; the protocol allows 65,535 bytes.
  static let longestName = 4_096
  /// What of a peer's names is remembered, so that it cannot fill the memory.
  static let longestRemembered = 256
  static let mostNames = 16_384
  /// The most names that are asked for in one round trip.
  static let mostAsked = 4_096

  func known(_ name: String) -> Atom? {
    for entry in few where entry.name == name { return entry.atom }
    return atomsByName.isEmpty ? nil : atomsByName[name]
  }

  private func name(of atom: Atom) -> String? {
    for entry in few where entry.atom == atom { return entry.name }
    return namesByAtom.isEmpty ? nil : namesByAtom[atom]
  }

  /// Interns what is not known yet, in one round trip.
  mutating func intern(_ names: [String], on x: XConnection) {
    let missing = names.filter { name in
      // A NUL would cut the name short and make it another one.
      known(name) == nil && !name.isEmpty && name.utf8.count <= Self.longestName
        && !name.utf8.contains(0)
    }
    guard !missing.isEmpty else { return }
    for (name, atom) in zip(missing, x.internAtoms(missing)) where atom != .none {
      remember(name, atom)
    }
  }

  mutating func names(of atoms: [Atom], on x: XConnection) -> [String?] {
    var missing: [Atom] = []
    for atom in atoms where atom != .none && name(of: atom) == nil {
      // Atoms use 29 bits; asking for more is a certain error.
      guard atom.rawValue < 1 << 29, missing.count < Self.mostAsked else { continue }
      missing.append(atom)
    }
    guard !missing.isEmpty else { return atoms.map { name(of: $0) } }
    // What is not worth remembering: long names of strangers.
    var strange: [Entry] = []
    for (atom, bytes) in zip(missing, x.atomNames(missing)) {
      guard let bytes, bytes.count <= Self.longestName, self.name(of: atom) == nil else { continue }
      let name = String(decoding: bytes, as: UTF8.self)
      if namesByAtom.count >= Self.mostNames || bytes.count > Self.longestRemembered {
        strange.append(Entry(name: name, atom: atom))
      } else if name.utf8.elementsEqual(bytes) {
        remember(name, atom)
      } else {
        // A name that does not decode without loss does not lead back to this atom.
        namesByAtom[atom] = name
      }
    }
    return atoms.map { atom in name(of: atom) ?? strange.first { $0.atom == atom }?.name }
  }

  /// Both ways.
  private mutating func remember(_ name: String, _ atom: Atom) {
    guard few.count >= Self.mostFew else { return few.append(Entry(name: name, atom: atom)) }
    atomsByName[name] = atom
    namesByAtom[atom] = name
  }
}
