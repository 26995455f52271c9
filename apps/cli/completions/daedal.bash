# Completion of daedal for bash. The program itself knows what can come next: `daedal complete`.
#   source <(daedal completion bash)
_daedal() {
  local words=() k last=${COMP_WORDS[COMP_CWORD]}
  # bash parts words at = and : as well as at blanks; here they are put together again
  for ((k = 1; k <= COMP_CWORD; ++k)); do
    if ((k > 1)) && [[ ${COMP_WORDS[k]} == [=:]* || ${COMP_WORDS[k - 1]} == *[=:] ]] &&
      [[ $COMP_LINE == *"${COMP_WORDS[k - 1]}${COMP_WORDS[k]}"* ]]; then
      words[-1]+=${COMP_WORDS[k]}
    else
      words+=("${COMP_WORDS[k]}")
    fi
  done
  [[ $last == [=:] ]] && last=
  local done=${words[-1]%"$last"} # what of the word bash will not replace
  local program=${1/#\~\//$HOME/} line
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files*)
        compopt -o filenames 2>/dev/null
        local ending=${line#:files} path
        while IFS= read -r path; do
          [[ -d $path || -z $ending || $path == *"${ending# }" ]] && COMPREPLY+=("$path")
        done < <(compgen -f -- "$last")
        ;;
      *)
        line=${line%%$'\t'*}
        [[ $line == *= ]] && compopt -o nospace 2>/dev/null
        COMPREPLY+=("${line#"$done"}")
        ;;
    esac
  done < <("$program" complete -- "${words[@]}" 2>/dev/null)
}
complete -F _daedal daedal
