import { BAR_HEIGHT, barPaths, SLOT_WIDTH, type SlotState } from '@watchpost/shared/design/bar';
import { STATE_LOOKS } from '@watchpost/shared/design/states';
import { useRef, useState, useLayoutEffect } from 'preact/hooks';
import { durationText, momentText, latencyText } from './format.js';
import { describeSlots, slotsOf, stretchAt, type BarSlots } from './slots.js';
import { areaPath, HEAT_LEVELS, heatLevel, linePath, type Point } from '@watchpost/shared/design/plot';
import { sliderOf, type Stretch, type TimeSteps, useTimeCursor } from './time-cursor.js';
import type { ComponentChildren } from 'preact';

const wordOf = (state: SlotState) => (state === 'none' ? 'No data' : STATE_LOOKS[state].word);

/**
 * A stretch of time as a bar of slots. Hovering, or focus and the arrow keys, shows what and when.
 * @param label what the bar is of, for screen readers
 * @param isFocusable off in tables, where the details are one step away on the monitor
 * @param onChoose of a focusable one: a click, or Enter, chooses the stretch of one state that is shown
 * @param onZoom any other stretch was chosen: by dragging, or by Shift with the arrow keys and Enter
 */
export function StateBar(props: {
  bar: BarSlots;
  label: string;
  isFocusable?: boolean;
  onChoose?: (stretch: Stretch) => void;
  onZoom?: (stretch: Stretch) => void;
  /** Moments that a line is drawn at, ms since the epoch. */
  marks?: readonly { startMs: number }[];
}) {
  const { bar, onChoose } = props;
  const slots = slotsOf(bar);
  const stretchOf = (index: number) => stretchAt(slots, index)!;
  return (
    <Strip
      {...props}
      startMs={Date.parse(bar.start)}
      stepMs={bar.stepSeconds * 1_000}
      count={slots.length}
      paths={barPaths(slots.map(({ state }) => state)).map(([state, d]) => [`slot-${state}`, d])}
      summary={describeSlots(slots, durationText)}
      textsOf={(index) => [wordOf(stretchOf(index).state), timesOf(stretchOf(index))]}
      onPick={onChoose && ((index) => onChoose(stretchOf(index)))}
    />
  );
}

/** Values over time as a row of a heatmap: the darker, the slower. What is around it shows the bounds. */
export function HeatStrip(props: {
  startMs: number;
  stepMs: number;
  points: readonly Point[];
  bounds: { least: number; greatest: number };
  /** The stretch of time that the frame shows; the steps may begin before it, and end after it. */
  axis: Stretch;
  label: string;
  onZoom?: (stretch: Stretch) => void;
}) {
  const { startMs, stepMs, points, bounds } = props;
  const values = points.filter((value) => value !== null);
  const levels = Array.from({ length: HEAT_LEVELS }, () => '');
  points.forEach((value, at) => {
    if (value === null) return;
    levels[heatLevel(value, bounds.least, bounds.greatest)] +=
      `M${at * SLOT_WIDTH} 0h${SLOT_WIDTH}v${BAR_HEIGHT}h-${SLOT_WIDTH}z`;
  });
  return (
    <Strip
      {...props}
      count={points.length}
      isFocusable
      paths={levels.map((d, level) => [`heat-${level}`, d])}
      summary={
        values.length === 0
          ? 'No data yet'
          : `From ${latencyText(Math.min(...values))} to ${latencyText(Math.max(...values))}`
      }
      textsOf={(index) => [
        latencyText(points[index]),
        timesOf({ startMs: startMs + index * stepMs, endMs: startMs + (index + 1) * stepMs }),
      ]}
    />
  );
}

interface StripProps extends TimeSteps {
  /** Default: all steps. */
  axis?: Stretch;
  label: string;
  summary: string;
  /** The parts by class, in the units of slots. */
  paths: readonly (readonly [name: string, d: string])[];
  /** The word for what is at a step, and when it was. */
  textsOf: (index: number) => readonly [string, string];
  isFocusable?: boolean;
  marks?: readonly { startMs: number }[] | undefined;
  onPick?: ((index: number) => void) | undefined;
  onZoom?: ((stretch: Stretch) => void) | undefined;
}

function Strip(props: StripProps) {
  const {
    startMs,
    stepMs,
    count,
    label,
    summary,
    paths,
    textsOf,
    isFocusable = false,
    marks = [],
    onPick,
    onZoom,
  } = props;
  const frame = useRef<HTMLDivElement>(null);
  const axis = props.axis ?? { startMs, endMs: startMs + count * stepMs };
  const { index, isOwn, selected, enter, leave, handlers, keys } = useTimeCursor({
    startMs,
    stepMs,
    count,
    frame,
    axis,
    isShared: isFocusable,
    onZoom,
    onPick,
  });
  const placeOf = (ms: number) => ((ms - startMs) / stepMs) * SLOT_WIDTH;
  const [left, width] = [placeOf(axis.startMs), placeOf(axis.endMs) - placeOf(axis.startMs)];
  const text = `${label}. ${summary}.`;
  return (
    <div
      ref={frame}
      class={onPick || onZoom ? 'bar bar-choice' : 'bar'}
      {...handlers}
      {...(isFocusable && {
        role: 'slider',
        ...sliderOf({
          label,
          last: Math.max(0, count - 1),
          at: index,
          text: index === undefined ? text : textsOf(index).join(', '),
        }),
        ...keys,
        onFocus: enter,
        onBlur: leave,
      })}
    >
      <svg
        viewBox={`${left} 0 ${width} ${BAR_HEIGHT}`}
        preserveAspectRatio="none"
        role={isFocusable ? undefined : 'img'}
        aria-hidden={isFocusable || undefined}
        aria-label={isFocusable ? undefined : text}
      >
        {paths.map(([name, d]) => (
          <path key={name} class={name} d={d} />
        ))}
        {marks.map((mark, at) => (
          <rect key={at} class="slot-mark" x={placeOf(mark.startMs)} width="1" height={BAR_HEIGHT} />
        ))}
        {selected !== undefined && (
          <rect
            class="slot-selected"
            x={selected.from * SLOT_WIDTH}
            width={(selected.to - selected.from) * SLOT_WIDTH}
            height={BAR_HEIGHT}
          />
        )}
        {index !== undefined && (
          <rect class="slot-cursor" x={index * SLOT_WIDTH} width={SLOT_WIDTH} height={BAR_HEIGHT} />
        )}
      </svg>
      {isOwn && index !== undefined && (
        <Tip at={((index + 0.5) * SLOT_WIDTH - left) / width}>
          <strong>{textsOf(index)[0]}</strong>
          <span>{textsOf(index)[1]}</span>
        </Tip>
      )}
    </div>
  );
}

function timesOf({ startMs, endMs }: Stretch): string {
  const nowMs = Date.now();
  return `${momentText(startMs, nowMs)} to ${momentText(endMs, nowMs)} (${durationText(endMs - startMs)})`;
}

const SPARK_WIDTH = 96;
const SPARK_HEIGHT = 24;

interface SparklineProps {
  points: readonly Point[];
  label: string;
  /** Default: as a latency. */
  text?: ((value: number) => string) | undefined;
  /** The upper edge; default: the highest point. */
  max?: number | undefined;
}

/** Values over time in small, from 0. Gaps are missing data. */
export function Sparkline({ points, label, text = latencyText, max }: SparklineProps) {
  const values = points.filter((value) => value !== null);
  if (values.length === 0) return <span class="soft">–</span>;
  // One point is a stray dot.
  if (values.length === 1) return <span class="spark" />;
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  // The line is at the bottom if all is 0.
  const top = max ?? (highest || 1);
  const extreme = max === undefined ? `highest ${text(highest)}` : `lowest ${text(lowest)}`;
  return (
    <svg
      class="spark"
      viewBox={`0 -2 ${SPARK_WIDTH} ${SPARK_HEIGHT + 3}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: latest ${text(values.at(-1)!)}, ${extreme}`}
    >
      <path class="spark-area" d={areaPath(points, SPARK_WIDTH, SPARK_HEIGHT, top)} />
      <path class="spark-line" d={linePath(points, SPARK_WIDTH, SPARK_HEIGHT, top)} />
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
