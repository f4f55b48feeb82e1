import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';

export type ScriptStep = NonNullable<MonitorValues['tcpUdp']['script']>[number];

const WORDS = ['expect', 'expectHex', 'send'] as const;

/** A step as one line; line ends, tabs and backslashes are written as in JSON. */
export function lineOfStep(step: ScriptStep): string {
  const word = WORDS.find((each) => step[each] !== undefined);
  if (word === undefined) return 'startTls';
  const text = step[word]!;
  // A pattern has backslashes of its own, and no line ends.
  return `${word} ${word === 'send' ? JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"') : text}`;
}

/** @returns what is no step as text, which is refused with the reason */
export function stepOfLine(line: string): ScriptStep | string {
  if (line === 'startTls') return { startTls: true };
  const [, word = '', text = ''] = /^(\w+) (.*)$/s.exec(line) ?? [];
  if (word === 'expect' || word === 'expectHex') return { [word]: text };
  if (word !== 'send') return line;
  const escapes: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t' };
  return { send: text.replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) };
}
