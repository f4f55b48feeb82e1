import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Details above a point of a chart. The frame around it is positioned.
 * @param at from 0 (left edge of the frame) to 1
 */
export function Tip({ at, children }: { at: number; children: ComponentChildren }) {
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const own = tip.current!;
    const frame = own.parentElement!.getBoundingClientRect();
    const half = own.offsetWidth / 2;
    const wanted = frame.left + at * frame.width;
    const middle = Math.min(Math.max(wanted, half + 8), document.documentElement.clientWidth - half - 8);
    own.style.left = `${middle - frame.left}px`;
  });
  return (
    <div ref={tip} class="tip" aria-hidden="true">
      {children}
    </div>
  );
}
