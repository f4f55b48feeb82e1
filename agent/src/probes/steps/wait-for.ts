import type { Deadline } from '../deadline.js';
import type { ProbeFault } from '../probe-fault.js';

/** Waits before a step. @returns the fault where the check ends first */
export function waitFor(delayMs: number, deadline: Deadline): Promise<ProbeFault | null> | null {
  if (delayMs === 0) return null;
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      deadline.leave();
      resolve(null);
    }, delayMs);
    const cancel = (fault: ProbeFault): void => {
      clearTimeout(timer);
      resolve(fault);
    };
    deadline.enter({ timeoutKey: 'delay_timeout', timeoutValues: () => ({ delay: delayMs / 1_000 }), cancel });
  });
}
