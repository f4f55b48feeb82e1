import { escapeUnseen } from '@watchpost/shared/clean-line';
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { CommandError } from '../command/command-error.js';
import { readBounded } from '../read-bounded.js';

type Style = Parameters<typeof styleText>[0];

/** What a command reads from and writes to. */
export interface Terminal {
  /** Writes a line of the result to standard output. */
  print(line: string): void;
  /** Writes a line about the work to standard error. */
  report(line: string): void;
  /** Colours text for standard output, where that is a terminal. */
  paint(style: Style, text: string): string;
  /** The same for standard error. */
  paintReport(style: Style, text: string): string;
  /** Columns of standard output; undefined where it is no terminal. */
  readonly width: number | undefined;
  /** Whether a person can be asked. */
  readonly isInteractive: boolean;
  ask(question: string): Promise<string>;
  /** All of standard input, at most `maxBytes`. */
  readInput(maxBytes: number): Promise<Buffer>;
  /** Shows that work goes on, on a terminal, until the work ends. */
  whileShowing<T>(text: string, work: Promise<T>): Promise<T>;
}

const PROGRESS_EVERY_MS = 500;
const ESCAPE = '\u001b';
/** The styles of `paint`: bold, dim and colours. */
const STYLE = new RegExp(`(${ESCAPE}\\[(?:[12]|22|3\\d)m)`);

/** What reaches a terminal of a line, which may contain text of other people: only our own styles are obeyed. */
export function shownLine(line: string): string {
  return line
    .split(STYLE)
    .map((part, at) => (at % 2 === 1 ? part : escapeUnseen(part)))
    .join('');
}

/** The terminal of this process. @param isPlain refuses colours */
export function processTerminal(isPlain: boolean): Terminal {
  const { stdin, stdout, stderr } = process;
  return {
    print: (line) => void stdout.write(`${shownLine(line)}\n`),
    report: (line) => void stderr.write(`${shownLine(line)}\n`),
    paint: (style, text) => (stdout.isTTY && !isPlain ? styleText(style, text) : text),
    paintReport: (style, text) => (stderr.isTTY && !isPlain ? styleText(style, text) : text),
    width: stdout.isTTY ? stdout.columns : undefined,
    isInteractive: stdin.isTTY && stderr.isTTY,
    async ask(question) {
      const lines = createInterface({ input: stdin, output: stderr });
      try {
        // The end of the input (Ctrl-D) is no answer, and never settles the question.
        const closed = new Promise<string>((resolve) => {
          lines.once('close', () => {
            stderr.write('\n');
            resolve('');
          });
        });
        const answer = await Promise.race([lines.question(question), closed]);
        lines.removeAllListeners('close');
        return answer;
      } finally {
        lines.close();
      }
    },
    readInput: (maxBytes) =>
      readBounded(stdin, maxBytes, new CommandError(`Standard input has more than ${maxBytes} bytes.`)),
    async whileShowing(text, work) {
      if (!stderr.isTTY) return work;
      const startedMs = performance.now();
      let isShown = false;
      const show = () => {
        isShown = true;
        const seconds = Math.round((performance.now() - startedMs) / 1_000);
        stderr.write(`\r\u001b[K${text} … ${seconds} s`);
      };
      const timer = setInterval(show, PROGRESS_EVERY_MS);
      try {
        return await work;
      } finally {
        clearInterval(timer);
        if (isShown) stderr.write('\r\u001b[K');
      }
    },
  };
}
