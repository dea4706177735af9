import Foundation
import TestServer
import Testing

/// The completions of each shell, asked as a person asks them: by the shell itself.
@Suite struct CompletionTests {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  private static let share = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "scripts/share").path

  /// Completes the last word of a line, and lists the candidates.
  private func candidates(
    _ line: String, in shell: Shell, _ session: Session
  ) throws -> [String] {
    let script =
      switch shell {
      case .bash:
        """
        source \(Self.share)/bash/pasteboard
        eval "words=(${1//;/\\;})"; [ "${1% }" != "$1" ] && words+=('')
        COMP_WORDS=("${words[@]}"); COMP_CWORD=$(( ${#words[@]} - 1 ))
        case ${words[0]} in paste-button) _paste_button ;; *) _pasteboard ;; esac
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      case .fish:
        """
        source \(Self.share)/fish/pasteboard.fish
        source \(Self.share)/fish/paste-button.fish
        complete -C $argv[1] | string split -f 1 \\t
        """
      case .zsh:
        // A terminal of its own, whose compadd tells what it adds.
        """
        zmodload zsh/zpty
        zpty z "TERM=dumb zsh -f -i"
        zpty -w z "PS1= PS2= RPS1=; fpath=(\(Self.share)/zsh \\$fpath); autoload -Uz compinit"
        zpty -w z "compinit -u -D; bindkey '^I' complete-word; stty -echo"
        zpty -w z 'compadd() {
          if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
          local -a hits; builtin compadd -O hits "$@"
          (( $#hits )) && print -rl -- "HIT "$^hits >&2; builtin compadd "$@"
        }'
        zpty -w z 'finish() { print -r -- DONE; exit }; zle -N finish; bindkey "^X" finish'
        zpty -w z 'zle-line-init() { print -r -- EDIT""ING >&2 }; zle -N zle-line-init'
        zpty -r -m z out '*EDITING*'
        zpty -n -w z "$1"$'\\t'
        zpty -n -w z $'\\x18'
        zpty -r -m z out '*DONE*'
        print -r -- "$out" | tr '\\r' '\\n' | sed -n 's/.*HIT //p'
        """
      }
    let name = try session.write(Data(script.utf8), to: "complete.\(shell)")
    let start =
      switch shell {
      case .bash: "bash --norc"
      case .zsh: "zsh -f"
      case .fish: "fish --no-config"
      }
    let home = "HOME=\(session.directory.path)"
    let result = try session.shell("\(home) \(start) \(name) '\(line)' | LC_ALL=C sort -u")
    return result.text.split(separator: "\n").map(String.init)
  }

  @Test(arguments: Shell.allCases)
  func verbsAndOptionsAreCompleted(shell: Shell) throws {
    let session = try Session()
    #expect(try candidates("pasteboard in", in: shell, session) == ["inspect"])
    #expect(
      try candidates("pasteboard inspect --s", in: shell, session) == ["--selection", "--sizes"])
    #expect(try candidates("pasteboard copy --ad", in: shell, session) == ["--add"])
    #expect(try candidates("pasteboard watch --se", in: shell, session).contains("--settle"))
    #expect(
      try candidates("pasteboard paste -s ", in: shell, session) == [
        "clipboard", "primary", "secondary",
      ])
    #expect(try candidates("paste-button --la", in: shell, session) == ["--label"])
    #expect(try candidates("pasteboard helper st", in: shell, session) == ["status"])
  }

  @Test(arguments: Shell.allCases)
  func typesOnOfferAreCompleted(shell: Shell) throws {
    let session = try Session()
    try session.pasteboard("copy", input: Session.png)
    try session.copy("<p>x", "-p", "-t", "html")
    let pictures = ["image/png", "public.png"]
    #expect(try candidates("pasteboard paste -t ", in: shell, session) == pictures)
    #expect(try candidates("pasteboard types -t pub", in: shell, session) == ["public.png"])
    #expect(try candidates("paste-button -a ", in: shell, session) == pictures)
    let primary = try candidates("pasteboard paste -p -t text/", in: shell, session)
    #expect(primary.contains("text/html"))
    #expect(
      primary.contains(shell == .bash ? #"text/plain\;charset=utf-8"# : "text/plain;charset=utf-8"))
  }

  @Test(arguments: Shell.allCases)
  func filesAreCompleted(shell: Shell) throws {
    let session = try Session()
    _ = try session.write(Data(), to: "picture.png")
    #expect(try candidates("pasteboard copy pict", in: shell, session) == ["picture.png"])
    #expect(try candidates("pasteboard paste -o pict", in: shell, session) == ["picture.png"])
  }

  /// The names come from whoever owns the selection.
  @Test(arguments: Shell.allCases)
  func namesOnOfferAreNeverRun(shell: Shell) throws {
    let session = try Session()
    for name in ["a/$(touch ran)", "a/`touch ran`", "a/b;touch ran;"] {
      try session.copy("x", "-t", "target:" + name)
      _ = try candidates("pasteboard paste -t ", in: shell, session)
    }
    #expect(try session.shell("[ -e ran ] && echo ran").text == "")
  }
}
