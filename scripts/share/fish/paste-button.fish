# Completions of paste-button for fish.

function __paste_button_offered
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

complete -c paste-button -s a -l accept -x -a '(__paste_button_offered)' -d 'What can be pasted'
complete -c paste-button -s s -l selection -x -a 'clipboard primary secondary' -d 'The selection'
complete -c paste-button -s p -l primary -d 'The primary selection'
complete -c paste-button -l press -d 'Press now, without a window'
complete -c paste-button -l watch -d 'Write whether the button is enabled'
complete -c paste-button -l once -d 'End after the first press'
complete -c paste-button -l label -x -d 'The label of the button'
complete -c paste-button -l timeout -x -d 'At most this long'
complete -c paste-button -l display -x -d 'Another display'
complete -c paste-button -s h -l help -d 'Help'
complete -c paste-button -l version -d 'The version'
