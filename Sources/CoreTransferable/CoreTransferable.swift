// Apple's CoreTransferable for Linux: a type says once how its values travel, and everything that moves
// values, the pasteboard first of all, asks it.
//
// Importing this module also makes Foundation and UniformTypeIdentifiers usable, as on Apple's systems.
// Combine's `TopLevelEncoder` and `TopLevelDecoder`, and Foundation's `NSItemProvider`, which Linux
// lacks, are declared here.
//
// # Where Apple's behaviour is not known, or differs
//
// **Order.** Representations are preferred in declared order. Nested bodies and the representations of a
// proxied type take the place of what they stand for. Of several that export one content type the first
// whose condition is true counts.
//
// **Export.** The first representation that conforms to the content type asked for is used, also if a
// later one equals it. `nil` takes the first.
//
// **Import.** Each importing representation takes its own content type and what conforms to it, never
// what it conforms to. Representations of bare `public.data` or `public.item` are the exception in
// `init(importing:contentType:)`: they take content only under that very name, as measured on macOS 27
// for `Data`; what is pasted, dropped or provided they take whatever it is. If a matching representation
// fails to import, the next that matches is tried; the first failure is thrown.
//
// **Conditions** affect export only. They are evaluated when a value is offered or exported directly,
// and a false one is a `conditionFalse` error. Conditions of nested modifiers must all hold.
//
// **Visibility** is never widened: nested limits add up, and `team` and `group`, which X11 cannot tell,
// count as the own process wherever something leaves it. `exportedContentTypes` with `.all` lists what
// every program sees, with `.ownProcess` everything. Direct export sees everything.
//
// **Proxies** forward the proxied type's content types, order, visibility and conditions. A proxy closure
// is called to see what can be offered only if the proxied type has conditions or names; if it throws
// then, what depends on it is not offered. An asynchronous one cannot be asked before the export, and a
// condition that is false by then is an error. Types that are each other's proxies come to an end: a
// type that is already being described adds nothing.
//
// **File names.** The last name that a type's own representations suggest counts for all of them; names
// of proxied types count only without one. A file made of a suggestion lies inside its directory
// whatever the suggestion says (see `SafeFileName`), and its extension fits its content type.
//
// **Files.** What is received lies in a directory of mode 0700 of its own until the importing closure
// ends, also if it throws or its task is cancelled, and also if it goes on long after that. Files are
// copied by sharing blocks, else inside the kernel, never through memory; holes stay holes. A sender's
// own file is handed over only with `allowAccessingOriginalFile`, and to an importing closure only if it
// attempts to open in place; a file that only serves for its bytes is read where it is. A folder asked
// for as data is a ZIP archive of it. Data asked of a large file is mapped from a private copy, because a
// mapping of the original would end the process if somebody shortened it.
//
// **Closures** run on threads of their own. Cancellation and deadlines end a wait at once; the closure is
// told by cancellation of its task, and what it makes later is dropped. Each request runs the exporting
// closure once. Several requests may run it at the same time.
//
// **Text** leaves as UTF-8 and nothing in it is changed. It is imported in the encoding its content type
// or charset names. Plain text of neither is UTF-8 if valid, else UTF-16 or UTF-32 if marked, else
// Windows-1252. UTF-16 without a mark is little-endian for `public.utf16-plain-text` and big-endian for
// the external form or a charset, unless its zero bytes show the other order. These types are taken
// without being listed, since Apple lists UTF-8 alone. HTML and RTF are no plain text.
//
// **AttributedString** travels as plain text, together with the forms other modules add.
//
// **URL** takes the first URL of a list; a relative one or a bare path is refused.
//
// **Item providers** make a registered value once, when it is first asked for. Loads match the exact
// content type before conforming ones. Completion handlers run on any thread, exactly once, also for
// load handlers that forget to answer.
//
// **Errors** are of type `TransferError`, except those of an item provider's own loads, which are in
// `NSItemProvider.errorDomain`, and what a closure given to `withExportedFile` throws.
@_exported public import Foundation
@_exported public import UniformTypeIdentifiers
