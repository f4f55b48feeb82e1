import { DAY_MS } from '@watchpost/shared/time';
import { useRef, useState } from 'preact/hooks';
import { timeTicks } from '@watchpost/shared/design/plot';
import { clockText, momentText } from './format.js';
import { Tip } from './state-bar.js';

/** Nearer to an end than these shares, a moment has no room beside the date there: on a wide screen, and on others. */
const [END_SHARE, NARROW_END_SHARE] = [0.16, 0.26];

/** A stretch of time, or a moment, that is marked, ms since the epoch. */
export interface MarkedSpan {
  /** Default: incident. */
  kind?: 'incident' | 'maintenance' | 'mark';
  startMs: number;
  endMs: number;
  /** The name of it, for screen readers and beside the cursor. */
  text: string;
  /** A mark has the place where there is more about it. */
  url?: string | null;
}

/** The moments below pictures of one stretch of time: dates at both ends, steps between, and the marks of that time. */
export function TimeAxis(props: { startMs: number; endMs: number; marks?: readonly MarkedSpan[] }) {
  const { startMs, endMs, marks = [] } = props;
  const nowMs = Date.now();
  const shareOf = (ms: number) => (ms - startMs) / (endMs - startMs);
  const text = (ms: number) =>
    endMs - startMs <= 2 * DAY_MS ? clockText(ms) : momentText(ms, nowMs).replace(/,.*/, '');
  const isNear = (ms: number, share: number) => Math.min(shareOf(ms), 1 - shareOf(ms)) <= share;
  const ticks = timeTicks(startMs, endMs, 8).filter((ms) => !isNear(ms, END_SHARE));
  const axis = (
    <svg class="time-axis" aria-hidden="true">
      {marks.map((mark, at) => (
        <rect key={at} class="time-mark" x={`${shareOf(mark.startMs) * 100}%`} width="3" height="4" />
      ))}
      <text class="chart-label" x="0" y="16">
        {momentText(startMs, nowMs)}
      </text>
      {ticks.map((ms) => (
        <text
          key={ms}
          class={isNear(ms, NARROW_END_SHARE) ? 'chart-label time-tick time-tick-near' : 'chart-label time-tick'}
          x={`${shareOf(ms) * 100}%`}
          y="16"
          text-anchor="middle"
        >
          {text(ms)}
        </text>
      ))}
      <text class="chart-label" x="100%" y="16" text-anchor="end">
        {momentText(endMs, nowMs)}
      </text>
    </svg>
  );
  if (marks.length === 0) return axis;
  return (
    <div class="time-frame">
      {axis}
      <TimeMarks marks={marks.toSorted((a, b) => a.startMs - b.startMs)} shareOf={shareOf} />
    </div>
  );
}

/** The marks as one stop of the keyboard, between which the arrow keys move. Each shows its text, and leads to more about it. */
function TimeMarks({ marks, shareOf }: { marks: readonly MarkedSpan[]; shareOf: (ms: number) => number }) {
  const list = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState<number>();
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const next = Math.min(marks.length - 1, Math.max(0, (shown ?? marks.length - 1) + by));
    list.current!.querySelectorAll<HTMLElement>('a, button')[next]!.focus();
  };
  const hide = () => setShown(undefined);
  const named = shown === undefined ? undefined : marks[shown];
  return (
    <>
      <ul ref={list} aria-label="Marks" onKeyDown={step}>
        {marks.map(({ startMs, text, url }, at) => {
          const show = () => setShown(at);
          const common = {
            class: 'time-note',
            tabIndex: at === Math.min(shown ?? Infinity, marks.length - 1) ? 0 : -1,
            onFocus: show,
            onBlur: hide,
            onPointerEnter: show,
            onPointerLeave: hide,
          };
          const name = <span class="unseen">{text}</span>;
          return (
            <li key={at} style={{ left: `${shareOf(startMs) * 100}%` }}>
              {url ? (
                <a {...common} href={url} target="_blank" rel="noreferrer">
                  {name}
                </a>
              ) : (
                <button {...common} type="button">
                  {name}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {named && <Tip at={shareOf(named.startMs)}>{named.text}</Tip>}
    </>
  );
}
