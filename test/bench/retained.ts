import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import type { Defer } from './bench.js';

/** Reads how many bytes a process keeps on its heap after a garbage collection. */
export interface HeapQuestion {
  /** The process must be started with this environment. */
  env: Readonly<Record<string, string>>;
  ask(process: { pid: number; kill(signal: NodeJS.Signals): void }): Promise<number>;
}

export function heapQuestion(defer: Defer): HeapQuestion {
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-bench-heap-'));
  defer(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'bytes');
  return {
    env: { NODE_OPTIONS: `--import=${new URL('heap-probe.js', import.meta.url).href}`, HEAP_FILE: file },
    async ask(process) {
      rmSync(file, { force: true });
      process.kill('SIGUSR2');
      const text = await eventually(
        'the heap size is written',
        () => (existsSync(file) && readFileSync(file, 'utf8').endsWith('\n') ? readFileSync(file, 'utf8') : undefined),
        10_000,
        50,
      );
      return Number(text);
    },
  };
}
