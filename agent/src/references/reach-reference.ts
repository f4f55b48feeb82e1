import { connect } from 'node:net';
import type { Reference } from './parse-reference.js';

/** Whether a TCP connection to it can be made. A refusal is none: a network that lets nothing out refuses too. */
export function reachReference({ host, port }: Reference, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (reached: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reached);
    };
    const timer = setTimeout(() => end(false), timeoutMs);
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
