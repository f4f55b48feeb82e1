import type { LogFn, Logger } from 'pino';

/** Lines a minute with the same text and error; more are counted, because a database that is away is met by everything. */
const MOST_ALIKE = 3;
const WINDOW_MS = 60_000;
/** Different lines a minute whose repetitions are counted. */
const MOST_COUNTED = 1_000;
const WARN = 40;

interface Repeated {
  count: number;
  write: (left: number) => void;
}

/** A hook of pino that leaves out warnings and errors that repeat, and logs once a minute how many these were. */
export function leaveOutRepeated(): (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) => void {
  const seen = new Map<string, Repeated>();
  const endWindow = (): void => {
    for (const { count, write } of seen.values()) if (count > MOST_ALIKE) write(count - MOST_ALIKE);
    seen.clear();
  };
  return function logMethod(args, method, level) {
    const [first, second] = args as [unknown, unknown];
    const text = typeof first === 'string' ? first : second;
    if (level < WARN || typeof text !== 'string') return method.apply(this, args);
    const { code, message } = ((first as { err?: unknown } | null)?.err ?? {}) as { code?: string; message?: string };
    const key = `${text}\n${code ?? message ?? ''}`;
    const known = seen.get(key);
    if (known !== undefined) known.count++;
    else if (seen.size < MOST_COUNTED) {
      if (seen.size === 0) setTimeout(endWindow, WINDOW_MS).unref();
      const write = (left: number) => method.call(this, { repeated: left, err: code ?? message }, text);
      seen.set(key, { count: 1, write });
    }
    if (known === undefined || known.count <= MOST_ALIKE) method.apply(this, args);
  };
}
