import { STATE_LOOKS } from '@watchpost/shared/design/states';
import { useRef, useState, useLayoutEffect } from 'preact/hooks';
import { durationText, momentText, latencyText } from './format.js';
import { describeSlots, slotAt, slotsOf, stretchAt, type BarSlots, type Slot, type SlotState } from './slots.js';
import { areaPath, linePath, type Point } from './plot.js';
import type { ComponentChildren } from 'preact';

const SLOT_WIDTH = 4;
const HEIGHT = 24;
/** The states differ by height too. */
const TOPS: Readonly<Record<SlotState, number>> = {
  available: 4,
  partial: 2,
  unavailable: 0,
  unknown: 4,
  maintenance: 4,
  paused: 12,
  none: 20,
};
const wordOf = (state: SlotState) => (state === 'none' ? 'No data' : STATE_LOOKS[state].word);

/**
 * A stretch of time as a bar of slots. Hovering, or focus and the arrow keys, shows what and when.
 * @param label what the bar is of, for screen readers
 * @param isFocusable off in tables, where the details are one step away on the monitor
 * @param onChoose of a focusable one: a click, or Enter, chooses the stretch of one state that is shown
 */
export function StateBar(props: {
  bar: BarSlots;
  label: string;
  isFocusable?: boolean;
  onChoose?: (stretch: Slot) => void;
}) {
  const { bar, label, isFocusable = false, onChoose } = props;
  const frame = useRef<HTMLDivElement>(null);
  const slots = slotsOf(bar);
  const { index, setIndex, follow, step } = useCursor(slots.length, ({ clientX }) => {
    const { left, width: own } = frame.current!.getBoundingClientRect();
    return slotAt(clientX - left, own, slots.length);
  });
  const width = slots.length * SLOT_WIDTH;
  const stretch = index === undefined ? undefined : stretchAt(slots, index);
  const text = `${label}. ${describeSlots(slots, durationText)}.`;

  return (
    <div
      ref={frame}
      class={onChoose ? 'bar bar-choice' : 'bar'}
      onPointerMove={follow}
      onPointerLeave={() => setIndex(undefined)}
      {...(isFocusable && {
        tabIndex: 0,
        role: 'slider',
        'aria-label': label,
        'aria-valuemin': 0,
        'aria-valuemax': slots.length - 1,
        'aria-valuenow': index ?? slots.length - 1,
        'aria-valuetext': stretch === undefined ? text : stretchText(stretch),
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key === 'Enter' && stretch !== undefined) onChoose?.(stretch);
          step(event);
        },
        onClick: () => {
          if (stretch !== undefined) onChoose?.(stretch);
        },
        onFocus: () => setIndex(slots.length - 1),
        onBlur: () => setIndex(undefined),
      })}
    >
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role={isFocusable ? undefined : 'img'}
        aria-hidden={isFocusable || undefined}
        aria-label={isFocusable ? undefined : text}
      >
        {pathsOf(slots).map(([state, d]) => (
          <path key={state} class={`slot slot-${state}`} d={d} />
        ))}
        {index !== undefined && <rect class="slot-cursor" x={index * SLOT_WIDTH} width={SLOT_WIDTH} height={HEIGHT} />}
      </svg>
      {stretch !== undefined && index !== undefined && (
        <Tip at={(index + 0.5) / slots.length}>
          <strong>{wordOf(stretch.state)}</strong>
          <span>{stretchText(stretch, false)}</span>
        </Tip>
      )}
    </div>
  );
}

/** One path a state, so that a page of bars has few nodes. */
function pathsOf(slots: readonly Slot[]): [SlotState, string][] {
  const paths = new Map<SlotState, string>();
  for (let start = 0; start < slots.length;) {
    const { state } = slots[start]!;
    let end = start + 1;
    while (slots[end]?.state === state) end++;
    const top = TOPS[state];
    const [x, width] = [start * SLOT_WIDTH, (end - start) * SLOT_WIDTH];
    paths.set(state, `${paths.get(state) ?? ''}M${x} ${top}h${width}V${HEIGHT}h${-width}z`);
    start = end;
  }
  return [...paths];
}

function stretchText({ state, startMs, endMs }: Slot, withState = true): string {
  const nowMs = Date.now();
  const times = `${momentText(startMs, nowMs)} to ${momentText(endMs, nowMs)} (${durationText(endMs - startMs)})`;
  return withState ? `${wordOf(state)}, ${times}` : times;
}

const SPARK_WIDTH = 96;
const SPARK_HEIGHT = 24;

/** A latency over time in small, from 0 to its own maximum. Gaps are missing data. */
export function Sparkline({ points, label }: { points: readonly Point[]; label: string }) {
  const values = points.filter((value) => value !== null);
  if (values.length === 0) return <span class="soft">–</span>;
  const max = Math.max(...values);
  const latest = values.at(-1);
  return (
    <svg
      class="spark"
      viewBox={`0 -2 ${SPARK_WIDTH} ${SPARK_HEIGHT + 3}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: latest ${latencyText(latest)}, highest ${latencyText(max)}`}
    >
      <path class="spark-area" d={areaPath(points, SPARK_WIDTH, SPARK_HEIGHT, max)} />
      <path class="spark-line" d={linePath(points, SPARK_WIDTH, SPARK_HEIGHT, max)} />
    </svg>
  );
}

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
    <div ref={tip} class="tip lines small tabular" aria-hidden="true">
      {children}
    </div>
  );
}

/**
 * The point of a chart that a pointer or the arrow keys have chosen.
 * @param count how many points there are
 * @param at where a pointer is, as an index
 */
export function useCursor(count: number, at: (event: PointerEvent) => number) {
  const [index, setIndex] = useState<number>();
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    setIndex(Math.min(count - 1, Math.max(0, (index ?? count - 1) + by)));
  };
  return { index, setIndex, step, follow: (event: PointerEvent) => setIndex(at(event)) };
}
