import { type CompletedCommand, type CompletedOption, spellingsOf, type Word } from './command-words.js';
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
  const spellings = (isWanted: (option: CompletedOption) => boolean) => {
    const wanted = commands.flatMap(({ options }) => options.filter(isWanted).flatMap(spellingsOf));
    return [...new Set(wanted)].join('|');
  };
  const plain = spellings((one) => one.takesValue && one.choices.length === 0 && !one.isFile);
  const next = commands.map(({ path, commands: below, options, values: own, takesFile }) => {
    const words = [...below, ...own.map((word) => ({ word, description: '' })), ...options].map(describe);
    return `    (${quoteWord(path)}) candidates=(${words.join(' ')})${takesFile ? '; files=1' : ''} ;;`;
  });
  return [
    '#compdef watchpost',
    '# Completion of watchpost for zsh: source <(watchpost completion zsh)',
    '_watchpost() {',
    '  local at="" word files="" found',
    '  local -a candidates',
    '  for word in ${words[2,CURRENT-1]}; do',
    '    case "$at $word" in',
    `      (${paths.join('|')}) at="$at $word" ;;`,
    '    esac',
    '  done',
    '  case "${words[CURRENT-1]}" in',
    `    (${spellings((one) => one.isFile)}) _files; return ;;`,
    `    (${plain}) return ;;`,
    '  esac',
    '  case "$at ${words[CURRENT-1]}" in',
    ...values,
    '  esac',
    '  case "$at" in',
    ...next,
    '  esac',
    '  _describe watchpost candidates',
    '  found=$?',
    '  if [ -n "$files" ]; then _files && found=0; fi',
    '  return $found',
    '}',
    'if [ "$funcstack[1]" = "_watchpost" ]; then _watchpost "$@"; else compdef _watchpost watchpost; fi',
  ].join('\n');
}

/** `word:description`, as `_describe` takes it. */
function describe({ word, description }: Word): string {
  return quoteWord(`${word.replaceAll(':', '\\:')}${description === '' ? '' : `:${description}`}`);
}
