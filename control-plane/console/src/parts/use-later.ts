import { useEffect, useRef, useState } from 'preact/hooks';

/** Returns what runs the first call after a quiet moment at once, and of those that follow it closely the last, after a pause. */
export function usePace(pauseMs: number): (run: () => void) => void {
  const last = useRef({ atMs: -Infinity, timer: undefined as ReturnType<typeof setTimeout> | undefined });
  useEffect(() => () => clearTimeout(last.current.timer), []);
  return (run) => {
    const nowMs = performance.now();
    const isQuiet = nowMs - last.current.atMs > pauseMs;
    clearTimeout(last.current.timer);
    last.current = { atMs: nowMs, timer: isQuiet ? undefined : setTimeout(run, pauseMs) };
    if (isQuiet) run();
  };
}

/** @returns the text at once after a quiet moment, and otherwise once it has not changed for a pause, so that not each key asks */
export function useLater(text: string, pauseMs = 250): string {
  const [settled, setSettled] = useState(text);
  const pace = usePace(pauseMs);
  const isFirst = useRef(true);
  useEffect(() => {
    // The first text is settled already: to wait after it would make the first key wait.
    if (!isFirst.current) pace(() => setSettled(text));
    isFirst.current = false;
  }, [text]);
  return settled;
}
