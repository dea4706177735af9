import Foundation
import TestServer
import Testing

/// `xsel --follow` and `--zeroflush`: a selection that grows with standard input.
@Suite struct FollowTests {
  private static let rest =
    "sees() { until [ \"$(xsel -o)\" = \"$1\" ]; do :; done; echo \"$1\"; }\n"

  @Test func theSelectionGrowsWithTheInput() throws {
    let session = try Session()
    let result = try session.compatibly(
      Self.rest + """
        mkfifo pipe; xsel -n -f < pipe & child=$!
        exec 3> pipe
        printf one >&3; sees one
        printf ' tw\\303' >&3; sees 'one tw'
        pasteboard types -p -t STRING | cut -f3
        printf '\\266 ☃' >&3; sees 'one twö ☃'
        pasteboard types -p -t STRING 2>/dev/null; echo "STRING $?"
        exec 3>&-; xsel -o; echo
        xsel -c; wait $child; echo $?
        """)
    #expect(
      result.text == "one\none tw\nSTRING\none twö ☃\nSTRING 1\none twö ☃\n0\n")
    #expect(result.errorText == "")
  }

  @Test func aNULBeginsAnew() throws {
    let session = try Session()
    let result = try session.compatibly(
      Self.rest + """
        mkfifo pipe; xsel -n -z < pipe & child=$!
        exec 3> pipe
        printf one >&3; sees one
        printf 'two\\0three' >&3; sees three
        printf ' four' >&3; sees 'three four'
        printf '\\0' >&3; sees ''
        xsel -c; wait $child
        """)
    #expect(result.text == "one\nthree\nthree four\n\n")
  }

  @Test func whatServesIsInTheBackgroundAndHoldsOnlyItsInput() throws {
    let session = try Session()
    let result = try session.compatibly(
      Self.rest + """
        mkfifo pipe; exec 3<> pipe; printf one >&3
        x=$(xsel -f -b < pipe 2>&1); echo "<$x>"
        xsel -ob; echo; printf ' two' >&3
        until [ "$(xsel -ob)" = 'one two' ]; do :; done
        printf y | xsel -a -b; xsel -ob; echo
        """)
    #expect(result.text == "<>\none\none twoy\n")
  }
}
