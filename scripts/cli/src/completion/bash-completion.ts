import { type CompletedCommand, spellingsOf } from './command-words.js';
import { quoteWord } from './quote-word.js';

/** A script for bash 3.2 and later. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quoteWord(path));
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ word, choices }) => `    ${quoteWord(`${path} ${word}`)}) words=${quoteWord(choices.join(' '))} ;;`),
  );
  const plain = commands.flatMap(({ options }) =>
    options.filter((one) => one.takesValue && one.choices.length === 0).flatMap(spellingsOf),
  );
  const next = commands.map(({ path, commands: below, options, values: own, takesFile }) => {
    const words = [...below.map(({ word }) => word), ...own, ...options.map(({ word }) => word)];
    const condition = takesFile ? '[[ "$current" != -* ]] || ' : '';
    return `      ${quoteWord(path)}) ${condition}words=${quoteWord(words.join(' '))} ;;`;
  });
  return [
    '# Completion of watchpost for bash: source <(watchpost completion bash)',
    '_watchpost() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" at="" words="" word',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case "$at $word" in',
    `      ${paths.join('|')}) at="$at $word" ;;`,
    '    esac',
    '  done',
    '  COMPREPLY=()',
    '  case "$previous" in',
    `    ${[...new Set(plain)].join('|')}) return ;;`,
    '  esac',
    '  case "$at $previous" in',
    ...values,
    '  esac',
    '  if [ -z "$words" ]; then',
    '    case "$at" in',
    ...next,
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    '# Where nothing fits, such as after -f, bash completes files.',
    'complete -o default -F _watchpost watchpost',
  ].join('\n');
}
