import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Skeleton } from './skeleton.js';

/** Draws its content once it is about to be scrolled to, so that what nobody looks at is not read. */
export function WhenSeen({ rows, children }: { rows: number; children: () => ComponentChildren }) {
  const [isSeen, setSeen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSeen) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry!.isIntersecting) setSeen(true);
      },
      { rootMargin: '300px' },
    );
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, [isSeen]);
  return isSeen ? (
    children()
  ) : (
    <div ref={frame}>
      <Skeleton rows={rows} />
    </div>
  );
}
