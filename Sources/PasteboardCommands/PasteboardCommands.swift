// The command lines: `pasteboard`, and the other programs' names it answers to.
//
// Everything happens on the calling thread. No Foundation, no Dispatch, no concurrency: a paste of a
// kilobyte is over in about a millisecond, and most of that would be spent on starting those.
//
// Decisions:
//
//  1. Status: 0 done, 1 nothing there or not on offer, 2 usage, 3 no display or connection lost,
//     4 refused, failed or timed out. A signal ends a command as it ends any program (the shell says
//     128 and the number); a reader that closes the pipe ends it by SIGPIPE, quietly.
//  2. One line on standard error says what went wrong. libxcb's own words about a refused connection
//     are taken from standard error and become part of that line.
//  3. `copy` forks once, before there is a connection. The child has no descriptor of the caller's,
//     a session of its own and `/` as directory; it reports through a pipe what became of the
//     acquisition, and serves on until the selection is lost and the last transfer is over.
//  4. Files are read into memory up to `ContentSource.mostInMemory`, so that later edits do not
//     matter. A larger one is served from disk as it is when somebody asks.
//  5. `paste` writes text as UTF-8 and changes nothing else about it: no line ends, no trailing NUL.
//     Bytes labelled UTF-8 pass unchecked. A type named exactly, as MIME type or as target, passes
//     unchanged whatever it is; `TARGETS` and other lists of atoms are written as names.
//     A terminal gets neither binary nor control characters that it may take for commands, without `-t` or `--force`:
//     they are another program's.
//  6. Without `-t`, text is preferred, then the type that the extension of `-o FILE` names comes even
//     before text if it is on offer, then whatever the owner lists first: what is known to be
//     content before names that say nothing here.
//  7. A user's paste is what one window fetches within a second, in however many types and requests.
//     After the last paste allowed the selection is given up at once, or, for the window that makes
//     it, a quarter of a second later. What tells clipboard managers that they keep out is no paste.
//  8. Whatever the X server does, every wait has an end: an interval timer ends the process, since
//     nothing else can break off a call of Xlib.
//  9. Who reads standard output may pause: what it does not take within a second is kept in a file without a name, since
//     an owner that is not read from gives up (PatientOutput).
// 10. Content whose type nobody named is what its bytes say, but words that only begin like a picture or a program are
//     text. A picture is never text, nor is a page in RTF, PostScript or PDF.
// 11. HTML that the caller names as such, without a text beside it, gets a text without tags. HTML that is recognised,
//     and every file by its name, is its own text: who copies source wants source.
