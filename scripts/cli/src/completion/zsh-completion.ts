import type { CompletedCommand, Word } from './command-words.js';
import { quoteWord } from './quote-word.js';

/** A script for zsh, to be sourced after `compinit`, or kept as `_watchpost` in a folder of `fpath`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quoteWord(path));
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(
        ({ word, choices }) =>
          `    (${quoteWord(`${path} ${word}`)}) compadd -- ${choices.map(quoteWord).join(' ')}; return ;;`,
      ),
  );
  const plain = new Set(
    commands.flatMap(({ options }) =>
      options.filter((one) => one.takesValue && one.choices.length === 0 && !one.isFile).map(({ word }) => word),
    ),
  );
  const next = commands.map(({ path, commands: below, options, values: own }) => {
    const words = [...below, ...own.map((word) => ({ word, description: '' })), ...options].map(describe);
    return `    (${quoteWord(path)}) candidates=(${words.join(' ')}) ;;`;
  });
  return [
    '#compdef watchpost',
    '# Completion of watchpost for zsh: source <(watchpost completion zsh)',
    '_watchpost() {',
    '  local at="" word',
    '  local -a candidates',
    '  for word in ${words[2,CURRENT-1]}; do',
    '    case "$at $word" in',
    `      (${paths.join('|')}) at="$at $word" ;;`,
    '    esac',
    '  done',
    '  case "${words[CURRENT-1]}" in',
    '    (-f|--file) _files; return ;;',
    `    (${[...plain].join('|')}) return ;;`,
    '  esac',
    '  case "$at ${words[CURRENT-1]}" in',
    ...values,
    '  esac',
    '  case "$at" in',
    ...next,
    '  esac',
    '  _describe watchpost candidates',
    '}',
    'if [ "$funcstack[1]" = "_watchpost" ]; then _watchpost "$@"; else compdef _watchpost watchpost; fi',
  ].join('\n');
}

/** `word:description`, as `_describe` takes it. */
function describe({ word, description }: Word): string {
  return quoteWord(`${word.replaceAll(':', '\\:')}${description === '' ? '' : `:${description}`}`);
}
