import { Argument, type Command } from 'commander';
import { printResult } from '../command/command-context.js';
import type { Bind } from '../command/run-command.js';

/** Each asks the command line for the words that may come next. Where there are none, such as after `-f`, the shell completes files. */
const SCRIPTS = {
  bash: `# Completion of watchpost for bash 3.2 and later: source <(watchpost completion bash)
_watchpost() {
  local IFS=$'\\n'
  COMPREPLY=($(watchpost complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -d : -f 1))
}
complete -o default -F _watchpost watchpost`,
  zsh: `#compdef watchpost
# Completion of watchpost for zsh, after compinit: source <(watchpost completion zsh)
_watchpost() {
  local -a found
  found=(\${(f)"$(watchpost complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then _describe watchpost found; else _files; fi
}
if [ "$funcstack[1]" = "_watchpost" ]; then _watchpost "$@"; else compdef _watchpost watchpost; fi`,
  fish: `# Completion of watchpost for fish 3 and later: watchpost completion fish | source
function __watchpost
  set -l current (commandline -ct)
  set -l found (watchpost complete -- (commandline -opc)[2..-1] "$current" 2>/dev/null)
  if set -q found[1]
    string replace : \\t -- $found
  else
    __fish_complete_path "$current"
  end
end
complete -c watchpost -f -a '(__watchpost)'`,
} as const;

export function addCompletionCommand(program: Command, bind: Bind): void {
  program
    .command('completion')
    .description('print a script that completes commands in a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .action(
      bind(async (context, [shell]) => {
        const script = SCRIPTS[shell as keyof typeof SCRIPTS];
        printResult(context, { shell, script }, () => [script]);
      }),
    );
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(
      bind(async (context, words) => {
        const next = nextWords(program, words);
        printResult(context, next, () => next);
      }),
    );
}

/** @returns the words that may be in place of the last one, with their descriptions, as `_describe` of zsh takes them */
function nextWords(program: Command, words: readonly string[]): string[] {
  const visible = (command: Command) => program.createHelp().visibleCommands(command);
  let command = program;
  for (const word of words.slice(0, -1)) command = visible(command).find((below) => below.name() === word) ?? command;
  const typed = words.at(-1) ?? '';
  const inherited = command === program ? [] : program.options.filter(({ long }) => long !== '--version');
  const options = [...inherited, ...command.options];
  const valued = options.find((option) => option.required && [option.short, option.long].includes(words.at(-2) ?? ''));
  const values = valued ?? command.registeredArguments[0];
  const next =
    typed.startsWith('-') && !valued
      ? options.map(({ long, description }) => [long!, description])
      : [
          ...(valued ? [] : visible(command).map((below) => [below.name(), below.description()])),
          ...(values?.argChoices ?? []).map((value) => [value]),
        ];
  return next.filter(([word]) => word!.startsWith(typed)).map((parts) => parts.join(':'));
}
