# Completion of daedal for fish. The program itself knows what can come next: `daedal complete`.
#   daedal completion fish | source
function __daedal_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l last (commandline --current-token --cut-at-cursor)
    for line in (command $words[1] complete -- $words[2..-1] "$last" 2>/dev/null)
        switch $line
            case ':files*'
                set -l ending (string replace ':files' '' -- $line | string trim | string escape --style=regex)
                __fish_complete_path $last | string match --regex "^[^\t]*(?:/|$ending)(?:\t.*)?\$"
            case '*'
                printf '%s\n' $line
        end
    end
end
complete --command daedal --no-files --arguments '(__daedal_complete)'
