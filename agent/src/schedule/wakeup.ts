import { setImmediate } from 'node:timers';

/** How the scheduler is woken; a seam, so that tests move time instead of waiting for it. */
export interface Wakeup {
  /** Calls once after `delayMs`; the answer takes it back. */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls once after the sockets had their turn. */
  soon(callback: () => void): void;
}

export const systemWakeup: Wakeup = {
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  soon(callback) {
    setImmediate(callback);
  },
};
