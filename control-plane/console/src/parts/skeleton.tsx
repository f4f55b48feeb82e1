import { useEffect, useState } from 'preact/hooks';

const DELAY_MS = 150;

/** Keeps the room of what loads, as many rows as will be there, and shows itself only where the answer takes long. */
export function Skeleton({ rows = 3, height = 2.75 }: { rows?: number; height?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={isShown ? 'skeleton is-shown' : 'skeleton'} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="skeleton-row" style={{ height: `${height}rem` }} />
      ))}
    </div>
  );
}
