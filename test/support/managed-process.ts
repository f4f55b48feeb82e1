import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from './eventually.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A program in the folder of a version: of this one the bundle that is shipped, where `npm test` has made it. */
export function programIn(name: 'agent' | 'control-plane', folder = ROOT): string {
  const isBundled = process.env['TEST_BUNDLES'] === '1' && folder === ROOT;
  return join(folder, name, 'dist', isBundled ? 'main.mjs' : 'main.js');
}

export interface ManagedProcess {
  readonly pid: number;
  readonly logFile: string;
  /** Everything that it has printed so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when it has ended; rejects after `timeoutMs`. */
  ended(timeoutMs?: number): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly running: boolean;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a real process of the product, its output kept in a file, killed at the latest when the tests end. */
export function startProcess(options: {
  /** Default: Node.js. */
  executable?: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  logFile: string;
  cwd?: string;
}): ManagedProcess {
  mkdirSync(dirname(options.logFile), { recursive: true });
  // Opened at once, so that `output` can be read from the first moment.
  const log = createWriteStream(options.logFile, { fd: openSync(options.logFile, 'a') });
  // Without maps of sources, as it is shipped: reading them is a fifth of the processor time of a start.
  const child = spawn(options.executable ?? process.execPath, options.args, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.cwd ? { cwd: options.cwd } : {}),
  });
  running.add(child);
  // The test writes the log: limits on the files of the process must not limit its output.
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(child);
      // What it printed last may still be in the pipes; what it started may hold them open for longer.
      const end = () => log.write('', () => resolve({ code, signal }));
      const unheard = setTimeout(end, 2_000);
      child.once('close', () => {
        clearTimeout(unheard);
        end();
      });
    });
  });
  return {
    pid: child.pid!,
    logFile: options.logFile,
    output: () => readFileSync(options.logFile, 'utf8'),
    kill: (signal) => void child.kill(signal),
    async ended(timeoutMs = PATIENCE_MS) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new Error(`process ${child.pid} still runs after ${timeoutMs} ms; see ${options.logFile}`)),
          timeoutMs,
        );
      });
      try {
        return await Promise.race([exit, late]);
      } finally {
        clearTimeout(timer);
      }
    },
    get running() {
      return child.exitCode === null && child.signalCode === null;
    },
  };
}
