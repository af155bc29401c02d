import type { Shell } from '../declaration/commands/completion.ts';

/**
 * What each shell loads once. The scripts hold no list: for each word they ask the program that is at the beginning of
 * the line, which answers `files`, `directories` or `none`, then a candidate a line with its description behind a tab.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  // bash parts words at = and :, and replaces what is behind them.
  bash: `_svc() {
  local word line paths='' part=''
  local -a asked=() answer=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [ \${#asked[@]} -gt 0 ] && { [[ $word == [=:]* ]] || [ "$part" = joined ]; }; then
      asked[\${#asked[@]}-1]+=$word
      if [[ $word == [=:] ]]; then part=joined; else part=''; fi
    else
      asked+=("--word=$word")
    fi
  done
  local current=\${asked[\${#asked[@]}-1]#--word=} replaced=''
  case $current in *[=:]*) replaced=\${current%"\${current##*[=:]}"} ;; esac
  while IFS= read -r line; do
    if [ -z "$paths" ]; then paths=$line; else answer+=("\${line%%$'\\t'*}"); fi
  done < <("\${COMP_WORDS[0]}" completion bash "\${asked[@]}" 2>/dev/null)
  COMPREPLY=()
  for line in "\${answer[@]}"; do COMPREPLY+=("\${line#"$replaced"}"); done
  case $paths in
    files)
      compopt -o filenames
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${current#"$replaced"}")
      ;;
    directories)
      compopt -o filenames
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "\${current#"$replaced"}")
      ;;
  esac
}
complete -F _svc svc
`,
  zsh: `#compdef svc
_svc() {
  local line prefix=''
  local -a answer described
  answer=("\${(@f)$("\${words[1]}" completion zsh "\${(@)words[2,CURRENT]/#/--word=}" 2>/dev/null)}")
  case \${words[CURRENT]} in
    --*=*) prefix=\${words[CURRENT]%%=*}=; compset -P '*=' ;;
  esac
  for line in "\${(@)answer[2,-1]}"; do
    line=\${line#$prefix}
    described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  case \${answer[1]} in
    files) _files ;;
    directories) _files -/ ;;
  esac
  (( \${#described} )) && _describe svc described
}
if [ "$funcstack[1]" = _svc ]; then _svc "$@"; else compdef _svc svc; fi
`,
  fish: `function __svc_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l asked
  for word in $words
    set -a asked "--word=$word"
  end
  set -l answer ($words[1] completion fish $asked[2..] "--word=$current" 2>/dev/null)
  switch "$answer[1]"
    case files
      __fish_complete_path (string replace -r '^--[^=]*=' '' -- $current)
    case directories
      __fish_complete_directories (string replace -r '^--[^=]*=' '' -- $current)
  end
  for line in $answer[2..]
    echo $line
  end
end
complete -c svc -f -a '(__svc_complete)'
`,
};
