import type { CompletedCommand } from './command-words.js';

/** A script for fish 3 and later. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  const lines = commands.flatMap(({ path, commands: below, options, values, takesFile }) => {
    const start = `complete -c watchpost -n ${quote(`__watchpost_at ${quote(path)}`)}`;
    return [
      ...below.map(({ word, description }) => `${start} -a ${quote(word)} -d ${quote(description)}`),
      ...values.map((word) => `${start} -a ${quote(word)}`),
      ...(takesFile ? [`${start} -F`] : []),
      ...options.map(({ word, short, description, takesValue, choices, isFile }) => {
        const names = `${short === undefined ? '' : `-s ${short.slice(1)} `}-l ${word.slice(2)}`;
        const value = isFile ? ' -r -F' : takesValue ? ' -x' : '';
        const own = choices.length > 0 ? ` -a ${quote(choices.join(' '))}` : '';
        return `${start} ${names}${value}${own} -d ${quote(description)}`;
      }),
    ];
  });
  return [
    '# Completion of watchpost for fish: watchpost completion fish | source',
    'function __watchpost_at',
    '  set -l at ""',
    '  for word in (commandline -opc)[2..-1]',
    `    if contains -- "$at $word" ${paths.join(' ')}`,
    '      set at "$at $word"',
    '    end',
    '  end',
    '  test "$at" = "$argv[1]"',
    'end',
    'complete -c watchpost -f',
    ...lines,
  ].join('\n');
}

/** In single quotes; inside of them fish knows two escapes. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
