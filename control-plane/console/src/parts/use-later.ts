import { useEffect, useState } from 'preact/hooks';

/** @returns the text once it has not changed for a moment, so that typing or pointing does not ask each time */
export function useLater(text: string, pauseMs = 250): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
