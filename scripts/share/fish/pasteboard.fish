# Completions of pasteboard for fish.

function __pasteboard_offered
    set -l selection
    set -l words (commandline -opc)
    for index in (seq 2 (count $words))
        switch $words[$index]
            case -p --primary
                set selection -p
            case -s --selection
                set selection -s (string split -f 1 , -- $words[(math $index + 1)])
        end
    end
    pasteboard types --timeout 1 $selection 2>/dev/null | string split \t | string match -v -- - | sort -u
end

set -l verbs copy paste types inspect watch exchange clear helper history xclip xsel pbcopy pbpaste
set -l ours copy paste types inspect watch exchange clear
set -l start "not __fish_seen_subcommand_from $verbs"

complete -c pasteboard -f
complete -c pasteboard -n $start -a copy -d 'Make standard input, or files, the clipboard'
complete -c pasteboard -n $start -a paste -d 'Write the clipboard'
complete -c pasteboard -n $start -a types -d 'List what is on offer'
complete -c pasteboard -n $start -a inspect -d 'Tell who owns the selections'
complete -c pasteboard -n $start -a watch -d 'Tell of every change'
complete -c pasteboard -n $start -a exchange -d 'Swap the primary selection and the clipboard'
complete -c pasteboard -n $start -a helper -d 'Talk to the session helper'
complete -c pasteboard -n $start -a history -d 'What the session helper remembers'
complete -c pasteboard -f -n '__fish_seen_subcommand_from helper' -a 'status doctor pause resume ignore-next takeover wait-kept sync reload'
complete -c pasteboard -f -n '__fish_seen_subcommand_from history' -a 'enable disable list search show select delete purge pin unpin expire export import'
complete -c pasteboard -n $start -a clear -d 'Empty the clipboard'
complete -c pasteboard -n $start -a 'xclip xsel pbcopy pbpaste' -d 'Take the options of that program'
complete -c pasteboard -n $start -l version -d 'The version'
complete -c pasteboard -s h -l help -d 'Help'

complete -c pasteboard -n "__fish_seen_subcommand_from $ours" -s s -l selection -x -a 'clipboard primary secondary' -d 'The selection'
complete -c pasteboard -n "__fish_seen_subcommand_from $ours" -l display -x -d 'Another display'
complete -c pasteboard -n '__fish_seen_subcommand_from copy paste types inspect watch clear' -s p -l primary -d 'The primary selection'
complete -c pasteboard -n '__fish_seen_subcommand_from paste types watch' -s t -l type -x -a '(__pasteboard_offered)' -d 'This type'
complete -c pasteboard -n '__fish_seen_subcommand_from types inspect watch' -l json -d 'As JSON'
complete -c pasteboard -n '__fish_seen_subcommand_from copy paste types inspect' -l timeout -x -d 'At most this long'

complete -c pasteboard -n '__fish_seen_subcommand_from copy' -F
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -s t -l type -x -a 'txt html png jpeg json' -d 'What the content is'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l as -x -d 'A representation: TYPE=FILE'
complete -c pasteboard -n '__fish_seen_subcommand_from copy paste' -s n -l trim -d 'Drop one newline at the end'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l no-empty -d 'Keep the clipboard if the input is empty'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l no-file -d 'Only the content'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l cut -d 'Pasting moves the files'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -s f -l foreground -d 'Serve in this process'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l once -d 'Serve one paste'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l count -x -d 'Serve so many pastes'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l expires -x -d 'Clear after so many seconds'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l sensitive -d 'Ask managers to keep out'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l append -d 'Add to the text that is there'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l add -d 'Keep what is there in its other types'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l wait-paste -d 'Return after the first paste'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l wait-kept -d 'Return when a manager has it'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l token -d 'Print a name for this copy'
complete -c pasteboard -n '__fish_seen_subcommand_from copy' -l if-owner -x -d 'Replace only that copy'

complete -c pasteboard -n '__fish_seen_subcommand_from paste' -s o -l output -r -d 'Into a file'
complete -c pasteboard -n '__fish_seen_subcommand_from paste' -l files -d 'The names of copied files'
complete -c pasteboard -n '__fish_seen_subcommand_from paste' -s 0 -l null -d 'A NUL after each name'
complete -c pasteboard -n '__fish_seen_subcommand_from paste' -l lf -d 'Line ends become LF'
complete -c pasteboard -n '__fish_seen_subcommand_from paste' -l force -d 'Binary to a terminal'

complete -c pasteboard -n '__fish_seen_subcommand_from watch' -l initial -d 'Begin with what is there'
complete -c pasteboard -n '__fish_seen_subcommand_from watch' -l settle -x -d 'Tell when none followed for so long'
complete -c pasteboard -n '__fish_seen_subcommand_from inspect' -l sizes -d 'Fetch and measure each content'
