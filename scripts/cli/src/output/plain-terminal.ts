import { shownLine, type Terminal } from './terminal.js';

/** A terminal that keeps what is printed: for tests, and for callers within the same process. */
export interface PlainTerminal extends Terminal {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * @param input what standard input contains
 * @param ask answers questions; without it nobody can be asked
 */
export function plainTerminal(input = '', ask?: (question: string) => Promise<string>): PlainTerminal {
  let [stdout, stderr] = ['', ''];
  return {
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    print: (line) => void (stdout += `${shownLine(line)}\n`),
    report: (line) => void (stderr += `${shownLine(line)}\n`),
    paint: (_, text) => text,
    paintReport: (_, text) => text,
    width: undefined,
    isInteractive: ask !== undefined,
    async ask(question) {
      stderr += question;
      return (await ask?.(question)) ?? '';
    },
    readInput: () => Promise.resolve(Buffer.from(input)),
    whileShowing: (_, work) => work,
  };
}
