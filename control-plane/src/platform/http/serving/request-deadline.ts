import type { ServerResponse } from 'node:http';
import { Fault } from '@watchpost/shared/fault';

/**
 * Runs the work of one request against a deadline.
 * @param work gets a function that makes the signal: most requests never ask for it. It is aborted
 *   when the deadline passes or the caller hangs up; the work itself is not cut off, so that a
 *   transaction ends one way or the other
 * @throws Fault `unavailable` when the deadline passes first
 */
export async function withDeadline<T>(
  response: ServerResponse,
  deadlineMs: number,
  work: (signal: () => AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new LazyController();
  const onClose = () => controller.abort();
  response.once('close', onClose);
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Fault('unavailable', `The request took longer than ${deadlineMs / 1000} s; try again later.`));
    }, deadlineMs);
    timer.unref();
  });
  try {
    return await Promise.race([work(() => controller.signal()), passed]);
  } finally {
    clearTimeout(timer);
    response.off('close', onClose);
  }
}

/** An AbortController that is made only when somebody looks. */
class LazyController {
  private controller: AbortController | undefined;
  private aborted = false;

  signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.aborted) this.controller.abort();
    }
    return this.controller.signal;
  }

  abort(): void {
    this.aborted = true;
    this.controller?.abort();
  }
}
