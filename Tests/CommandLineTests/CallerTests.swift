import Foundation
import TestServer
import Testing

/// Programs that call xclip or xsel for their clipboard, with ours in their place.
@Suite struct CallerTests {
  /// What neovim yanks other programs paste, and the other way round; it finds the one name by itself.
  @Test(arguments: ["xclip", "xsel"])
  func neovimYanksAndPuts(name: String) throws {
    let session = try Session()
    let program = Session.program
    _ = try session.write(
      Data(
        """
        call setreg("+", "from neovim é")
        call setreg("*", "prime")
        while system(["\(program)", "paste"]) !=# "from neovim é" | endwhile
        while system(["\(program)", "paste", "-p"]) !=# "prime" | endwhile
        call system(["\(program)", "copy"], "put me")
        call system(["\(program)", "copy", "-p"], "and me")
        while getreg("+") !=# "put me" || getreg("*") !=# "and me" | call wait(10, {-> 0}) | endwhile
        call writefile([provider#clipboard#Executable()], "seen")
        qa!
        """.utf8), to: "calls.vim")
    let result = try session.compatibly(
      """
      mkdir one; ln -s $(readlink -f $(command -v \(name))) one/\(name)
      timeout -k 1 30 env HOME=$PWD TERM=dumb SHELL=/bin/sh PATH=$PWD/one \
        $(command -v nvim) --headless -u NONE -i NONE -S calls.vim </dev/null >out 2>&1
      status=$?; cat out; exit $status
      """, seconds: 40)
    #expect(result.status == 0, "\(result.text)")
    #expect(try session.contents("seen") == Data("\(name)\n".utf8))
    try session.pasteboard("clear", "-s", "clipboard,primary")
  }

  @Test func tmuxIsNotKeptWaiting() throws {
    let session = try Session()
    let result = try session.compatibly(
      """
      export TMUX_TMPDIR=$PWD TERM=screen SHELL=/bin/sh
      tmux -f /dev/null new-session -d
      tmux run-shell 'printf one | pasteboard copy'; pasteboard paste; echo
      tmux run-shell 'printf two | xclip -selection clipboard'; pasteboard paste; echo
      tmux run-shell 'printf three | xsel -i --clipboard'; pasteboard paste; echo
      tmux set-buffer 'buffer text'
      tmux run-shell 'tmux save-buffer - | pasteboard copy'; pasteboard paste; echo
      printf back | pasteboard copy
      tmux run-shell 'pasteboard paste | tmux load-buffer -'; tmux show-buffer; echo
      tmux kill-server
      """)
    #expect(result.text == "one\ntwo\nthree\nbuffer text\nback\n")
    #expect(result.errorText == "")
  }

  @Test(arguments: ["xclip", "xsel"])
  func pyperclipCopiesAndPastes(name: String) throws {
    let session = try Session()
    _ = try session.write(
      Data(
        """
        import sys, pyperclip
        pyperclip.set_clipboard(sys.argv[1])
        for text in ['plain', 'ಠ_ಠ 🙆 é', 'line\\n', ' \\t\\r\\n', 'x' * 300000, '']:
            pyperclip.copy(text)
            assert pyperclip.paste() == text, (text, pyperclip.paste())
            pyperclip.copy(text + '1', primary=True)
            assert pyperclip.paste(primary=True) == text + '1'
            assert pyperclip.paste() == text
        print('ok')
        """.utf8), to: "calls.py")
    let result = try session.compatibly("/usr/bin/python3 calls.py \(name)", seconds: 40)
    #expect(result.text == "ok\n", "\(result.errorText)")
  }

  @Test(arguments: [
    "xclip -in -selection clipboard|xclip -out -selection clipboard",
    "xclip -i -selection clipboard|xclip -o -selection clipboard",
    "xclip -selection c|xclip -selection c -o", "xclip -sel clip|xclip -o -sel clip",
    "xclip -select clip|xclip -o -se c", "xsel --input --clipboard|xsel --output --clipboard",
    "xsel --clipboard --input|xsel --clipboard --output", "xsel -b -i|xsel -b -o",
    "xsel -i --clipboard|xsel -ob", "xsel -bi|xsel -bo", "xclip|xclip -o", "xsel -p|xsel -po",
    "xsel -ip|xsel -op", "xclip -sel p -f|xclip -o -sel p", "pbcopy|pbpaste",
    "xclip -d $DISPLAY -sel c|xclip -o -d $DISPLAY -sel c",
    "xclip -target UTF8_STRING -selection clipboard|xclip -o -sel c -t UTF8_STRING",
  ])
  func theCallsOfRealPrograms(pair: String) throws {
    let session = try Session()
    let calls = pair.split(separator: "|")
    let result = try session.compatibly(
      "printf 'höre' | \(calls[0]) >/dev/null && \(calls[1])")
    #expect(result.text == "höre")
    #expect(result.errorText == "")
  }
}
