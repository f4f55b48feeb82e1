import { useEffect, useState } from 'preact/hooks';
import { asFault, type ApiFault } from '../../data/api-fault.js';
import type { Query } from '../../data/address.js';
import { request } from '../../data/api.js';

const PAUSE_MS = 400;

interface Posted<T> {
  data: T | undefined;
  fault: ApiFault | undefined;
  /** `data` belongs to a former body. */
  isPrevious: boolean;
}

/**
 * Reads what the API answers to a body that changes nothing there, such as a preview, once the body has not changed for a moment.
 * @param version asks again when it changes
 * @returns the latest answer; it stays while the next one is on its way, and where the API refuses the body
 */
export function usePosted<T>(
  path: string,
  { body, query = {}, version }: { body: unknown; query?: Query; version?: unknown },
): Posted<T> {
  const text = JSON.stringify([path, query, body, version]);
  const [answer, setAnswer] = useState<{ text: string; data: T | undefined; fault?: ApiFault }>();
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(
      () => {
        request<T>('POST', path, { body, query, signal: controller.signal }).then(
          (read) => setAnswer({ text, data: read.body }),
          (error: unknown) => {
            if (!controller.signal.aborted)
              setAnswer((former) => ({ text, data: former?.data, fault: asFault(error) }));
          },
        );
      },
      answer === undefined ? 0 : PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return { data: answer?.data, fault: answer?.fault, isPrevious: answer?.text !== text };
}
