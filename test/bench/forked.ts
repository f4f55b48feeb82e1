import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Defer } from './bench.js';

/** Starts a program of this folder, which ends with the bench. */
export function forked(file: string, defer: Defer): ChildProcess {
  const child = fork(new URL(file, import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  defer(() => child.connected && child.disconnect());
  return child;
}

/** @returns the next message of the process @throws when the process ends first */
export async function ask<Answer>(child: ChildProcess, question?: object): Promise<Answer> {
  if (question) child.send(question);
  const asked = new AbortController();
  const ended = once(child, 'exit', asked).then(([code]) => {
    throw new Error(`a load process ended with ${String(code)}`);
  });
  try {
    const [answer] = (await Promise.race([once(child, 'message', asked), ended])) as [Answer];
    return answer;
  } finally {
    asked.abort();
  }
}
