import { useEffect, useState } from 'preact/hooks';

const PAUSE_MS = 250;

/** @returns the text once it has not changed for a moment, so that typing does not ask for each letter */
export function useLater(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
