import Glibc
import UniformTypeIdentifiers

// How long content types take, a line each: what, nanoseconds, and what it is to stay below.

func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

func report(_ what: String, _ nanoseconds: Double, below bound: Double) {
  print("\(what)\t\(nanoseconds)\t\(bound)")
}

nonisolated(unsafe) var sink = 0

/// The median of rounds of many calls each.
func measure(_ what: String, below bound: Double, _ body: (Int) -> Bool) {
  var rounds: [Double] = []
  for _ in 0..<21 {
    let start = now()
    for index in 0..<2_000 where body(index) { sink += 1 }
    rounds.append((now() - start) / 2_000)
  }
  report(what, rounds.sorted()[rounds.count / 2], below: bound)
}

var start = now()
let png = UTType("public.png")
sink += png?.conforms(to: .image) == true ? 1 : 0
report("first look-up and conformance", now() - start, below: 300_000)

start = now()
sink += UTType(filenameExtension: "png") == .png ? 1 : 0
report("first look-up by extension", now() - start, below: 300_000)

let names = [
  "public.png", "public.utf8-plain-text", "com.adobe.pdf", "public.mpeg-4", "public.html", "public.folder",
  "public.swift-source", "public.zip-archive",
]
let types = names.compactMap { UTType($0) }
measure("name look-up", below: 1_000) { UTType(names[$0 % names.count]) != nil }
measure("conformance, true", below: 1_000) { types[$0 % types.count].conforms(to: .item) }
measure("conformance, false", below: 1_000) { types[$0 % types.count].conforms(to: .audio) }
