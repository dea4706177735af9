/// What `--help` writes. Each fits a screen.
enum HelpText {
  static let pasteboard = """
    Usage: pasteboard COMMAND [OPTION]…

    Copy and paste between the command line and X programs.

      copy [FILE]…    make standard input, or files, the clipboard
      paste           write the clipboard to standard output or a file
      types           list what is on offer
      inspect         tell who owns the selections, and every target
      watch           tell of every change, or run a command for it
      exchange        swap the primary selection and the clipboard
      clear           empty the clipboard
      helper VERB     talk to pasteboardd, which keeps copies when programs end
      history VERB    what pasteboardd remembers, once that is turned on

    pasteboard COMMAND --help tells more. pasteboard --version tells the version.

      echo hello | pasteboard copy
      pasteboard paste > note.txt
      pasteboard copy picture.png           as a picture, and as a file
      pasteboard paste -t png -o shot.png

    Status: 0 done, 1 nothing there or not on offer, 2 usage, 3 no display or
    connection lost, 4 refused, failed or timed out.

    """

  static let copy = """
    Usage: pasteboard copy [OPTION]… [FILE]…

    Make standard input, or FILEs, the clipboard. Returns when the clipboard is
    owned; a process in the background serves it until another program copies.
    One FILE is offered by its content and as a file, several as files.

      -t, --type TYPE        what the content is, instead of recognising it
          --as TYPE=FILE     one of several representations, best first ("-":
                             standard input); may be repeated
      -s, --selection NAME   clipboard (the default), primary, secondary or any
                             other; several with commas between them
      -p, --primary          the same as -s primary
      -n, --trim             drop one newline at the end
          --no-empty         keep the clipboard if the input is empty (status 1)
          --no-file          offer only the content of FILE, not the file
          --cut              pasting moves the FILEs
      -f, --foreground       serve in this process, until another program copies
          --once             serve one paste, then clear
          --count N          serve N pastes, then clear
          --expires SECONDS  clear after that time, unless it was replaced
          --sensitive        ask clipboard managers to keep out
          --append           add standard input to the text that is there
          --add              keep what is there, in its other types, too
          --wait-paste       return only after the first paste
          --wait-kept        return when a clipboard manager has it (status 4: none)
          --timeout SECONDS  how long either waits (else status 4)
          --token            print what --if-owner takes
          --if-owner TOKEN   replace that copy and no newer one (else status 1)
          --display NAME     another display than DISPLAY
      -h, --help             this text

    TYPE is a content type (public.png), a MIME type (image/png), a filename
    extension (png) or a raw target (UTF8_STRING, target:NAME).

      date | pasteboard copy -n
      pasteboard copy --as text/html=page.html --as txt=page.txt
      pass show mail | pasteboard copy --sensitive --once --expires 45

    """

  static let paste = """
    Usage: pasteboard paste [OPTION]…

    Write what the clipboard holds: text if there is text, in UTF-8, with nothing
    added or changed; otherwise what its owner lists first.

      -t, --type TYPE        this type; may be repeated, the first on offer wins;
                             a supertype (public.image) takes what conforms
      -o, --output FILE      into FILE, whole or not at all; the extension says
                             which type is preferred. DIR/ gets a new file, whose
                             name is written
      -s, --selection NAME   clipboard (the default), primary, secondary or any
                             other
      -p, --primary          the same as -s primary
          --files            the names of copied files, one a line
      -0, --null             with --files: a NUL after each name
      -n, --trim             drop one newline at the end
          --lf               turn line ends CRLF of text into LF
          --force            write binary and control characters to a terminal;
                             ask for targets that change something at the owner
          --timeout SECONDS  at most this long in all
          --display NAME     another display than DISPLAY
      -h, --help             this text

    Without --timeout an owner may take 2 s to say what it offers, 5 s for the
    first data, and 10 s without progress after that.

      pasteboard paste | wc -w
      pasteboard paste -t public.image -o screenshot.png
      pasteboard paste --files -0 | xargs -0 ls -ld

    """

  static let types = """
    Usage: pasteboard types [OPTION]…

    List what is on offer, in the owner's order: content type, MIME type, target;
    "-" stands for a type that a raw target does not have.

      -t, --type TYPE        only what would do for TYPE; status 1 if nothing does
          --json             as JSON
      -s, --selection NAME   clipboard (the default), primary, secondary or any
                             other
      -p, --primary          the same as -s primary
          --timeout SECONDS  at most this long in all
          --display NAME     another display than DISPLAY
      -h, --help             this text

      pasteboard types
      pasteboard types -t public.image && echo a picture

    """

  static let inspect = """
    Usage: pasteboard inspect [OPTION]…

    Tell who owns the clipboard, the primary and the secondary selection: program,
    process and window, since when, and every target. Fetches no content by itself.

          --json             as JSON
          --sizes            fetch each content, and tell how many bytes it has
      -s, --selection NAME   only these, with commas between them
      -p, --primary          the same as -s primary
          --timeout SECONDS  at most this long in all
          --display NAME     another display than DISPLAY
      -h, --help             this text

      pasteboard inspect -s clipboard

    """

  static let watch = """
    Usage: pasteboard watch [OPTION]… [--] [COMMAND [ARG]…]

    Write a line for every change of the clipboard: selection, what happened (new,
    cleared, owner-gone) and the types on offer. Fetches no content without -t.
    With COMMAND, run it for every change instead; changes that come while it runs
    are one. It reads the content of the type from standard input if -t is given,
    and finds CLIPBOARD_STATE (data, sensitive, clear, nil), PASTE_SELECTION,
    PASTE_REASON, PASTE_TYPE and PASTE_TARGET in its environment.

      -t, --type TYPE        only changes that bring this type; may be repeated
          --initial          begin with what is there now
          --json             a line of JSON for every change
          --settle SECONDS   tell a change when none has followed for so long
      -s, --selection NAME   clipboard (the default), primary, secondary or any
                             other; several with commas between them
      -p, --primary          the same as -s primary
          --display NAME     another display than DISPLAY
      -h, --help             this text

      pasteboard watch -t text -- sh -c 'wc -c'
      pasteboard watch --json | jq .types

    """

  static let exchange = """
    Usage: pasteboard exchange [OPTION]…

    Swap the primary selection and the clipboard, in all their types.

      -s, --selection A,B    two other selections
          --display NAME     another display than DISPLAY
      -h, --help             this text

    """

  static let helper = """
    Usage: pasteboard helper [--display NAME] VERB [ARGUMENT]…

    Talk to pasteboardd, the session helper that runs for the display.

      status [--json]        what is kept, and whether it is paused (then status 1)
      doctor                 display, owners, permissions, the last decisions
      pause [TIME]           read and keep nothing, until resume or for so long, such
                             as 90, 10m or 2h
      resume                 end a pause
      ignore-next            neither read nor keep the next copy, within a minute
      takeover               replace an owner that does not answer by what was kept
      wait-kept [SECONDS]    wait until the present copy would outlive its program
      sync [DIRECTION]       which selection follows the other: off, both,
                             primary-to-clipboard or clipboard-to-primary
      sync --once DIRECTION  take a text over now, whatever is set
      reload                 read the settings anew (see pasteboardd(1))

    Status: 0 done, 1 nothing there or paused, 2 usage, 3 another clipboard manager
    runs, 4 refused or not kept, 5 timed out, 6 only partly kept, 75 no display,
    76 no helper runs for this display.

    """

  static let history = """
    Usage: pasteboard history [--display NAME] VERB [ARGUMENT]…

    What pasteboardd remembers of earlier copies. It remembers nothing until that
    is turned on, and secrets never.

      enable                 remember copies on disk, for this user only
      disable                forget all, and remember nothing
      list [N] [--json]      the last copies (50): number, tab, one line; --print0
                             ends each with a zero byte
      search WORD…           copies that have these words
      show ID [TARGET]       the content
      select ID              put it on the clipboard again, with all its types
      delete ID…             delete for good; --last instead for the newest
      purge [N]              delete the last N, or all that are not pinned
      pin ID, unpin ID       keep beyond age and number, or no longer
      expire ID TIME         delete it after so long, such as 90, 10m or 2h
      export [FILE]          write all of it, one JSON object a line
      import [FILE]          add what was exported

    ID may be a whole line of the list, or - to read one from standard input:
      pasteboard history list | fzf | pasteboard history select -

    Status: as of pasteboard helper.

    """

  static let pasteButton = """
    Usage: paste-button --accept TYPE… [OPTION]… -- COMMAND [ARG]…

    Show a button that is enabled while the clipboard has one of the TYPEs, and run
    COMMAND for each press. It reads the content from standard input, and finds
    PASTE_TYPE and PASTE_TARGET in its environment. Escape closes the window.

      -a, --accept TYPE…     what can be pasted, best first: content types, MIME
                             types, filename extensions or targets
          --once             end after the first press
          --press            no window: press now (status 1 if disabled)
          --watch            no window: write "enabled TYPE" or "disabled" whenever
                             that changes
          --label TEXT       the button's label instead of "Paste"
      -s, --selection NAME   clipboard (the default), primary, secondary or any
                             other
      -p, --primary          the same as -s primary
          --timeout SECONDS  with --press: at most this long in all
          --display NAME     another display than DISPLAY
          --version          the version
      -h, --help             this text

      paste-button --accept public.image -- sh -c 'cat > "shot-$(date +%s).png"'
      paste-button --accept txt --press -- wc -w

    """

  static let clear = """
    Usage: pasteboard clear [OPTION]…

    Empty the clipboard, whoever owns it.

      -s, --selection NAME   clipboard (the default), primary, secondary or any
                             other; several with commas between them
      -p, --primary          the same as -s primary
          --display NAME     another display than DISPLAY
      -h, --help             this text

    """
}
