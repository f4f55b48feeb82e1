import type { ServerResponse } from 'node:http';
import { Fault } from '@watchpost/shared/fault';
import { AbortableWork, setAbortableWork } from '../../db/request-context.js';

/**
 * Runs the work of one request against a deadline. When the deadline passes or the caller hangs up, the work ends: its
 * statement is cancelled, its transaction rolled back, and its long loops stop (`request-context.ts`).
 * @throws Fault `unavailable` when the deadline passes first; RequestOver where the caller has hung up
 */
export async function withDeadline<T>(
  response: ServerResponse,
  deadlineMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const abortable = new AbortableWork();
  setAbortableWork(abortable);
  const onClose = () => abortable.abort();
  response.once('close', onClose);
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      abortable.abort();
      reject(new Fault('unavailable', `The request took longer than ${deadlineMs / 1000} s; try again later.`));
    }, deadlineMs);
    timer.unref();
  });
  try {
    return await Promise.race([work(), passed]);
  } finally {
    clearTimeout(timer);
    response.off('close', onClose);
  }
}
