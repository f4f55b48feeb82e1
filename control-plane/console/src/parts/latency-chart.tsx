import {
  areaPath,
  axisTicks,
  bandPath,
  linePath,
  placeOfLine,
  type Point,
  type TimeLine,
} from '@watchpost/shared/design/plot';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { latencyText, momentText } from './format.js';
import { Tip } from './state-bar.js';
import { type MarkedSpan, TimeAxis } from './time-axis.js';
import { sliderOf, type Stretch, useTimeCursor } from './time-cursor.js';

export interface LatencySeries {
  /** Of the first point, ISO 8601. */
  start: string;
  stepSeconds: number;
  /** ms, null where data is missing. All have one length. Between p50 and p95 is a band. */
  p50?: readonly Point[];
  p95?: readonly Point[];
  p99?: readonly Point[];
  /** Percent, in a chart of its own. */
  lost?: readonly Point[];
  /** Parts that together are the whole, drawn on each other. */
  parts?: readonly NamedLine[];
  /** Thin lines beside them, in steps of their own. */
  others?: readonly OtherLine[];
}

interface NamedLine {
  name: string;
  color: number;
  points: readonly Point[];
}

export type OtherLine = NamedLine & TimeLine;

const HEIGHT = 260;
const TOP = 12;
const LINES = ['p50', 'p95', 'p99', 'lost'] as const;
/** Beside the cursor. */
const MOST_TEXTS = 2;

/**
 * Latency, or packet loss, over time with axes. Hovering, or focus and the arrow keys, shows the values of a moment.
 * @param props.axis what it shows, so that pictures above and below have the same edges; default: all of the series
 * @param props.text writes a value; by default as ms
 * @param props.onZoom a stretch was chosen by dragging, or by Shift with the arrow keys and Enter
 */
export function LatencyChart(props: {
  series: LatencySeries;
  label: string;
  axis?: Stretch;
  annotations?: readonly MarkedSpan[];
  text?: (value: number | null | undefined) => string;
  onZoom?: (stretch: Stretch) => void;
}) {
  const { series, label, text: valueText = latencyText, onZoom } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  // Before it is painted, so that it is never seen in another width.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(160, entry!.contentRect.width)));
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  const { parts = [], others = [] } = series;
  const startMs = Date.parse(series.start);
  const stepMs = series.stepSeconds * 1_000;
  const lines = LINES.flatMap((name) => (series[name] ? [{ name, points: series[name] }] : []));
  const named = [...lines, ...parts].map((line) => ({ ...line, startMs, stepMs }));
  const drawn = [...named, ...others];
  const count = Math.max(0, ...named.map(({ points }) => points.length));
  const layers = stackOf(parts);
  const values = [...lines, ...others, ...layers].flatMap(({ points }) => points.filter((value) => value !== null));
  const axis = props.axis ?? { startMs, endMs: startMs + count * stepMs };
  const annotations = (props.annotations ?? []).filter(
    (each) => each.startMs < axis.endMs && each.endMs >= axis.startMs,
  );
  const ticks = axisTicks(Math.max(0, ...values));
  const max = ticks.at(-1)!;
  const plotHeight = HEIGHT - TOP;
  const yOf = (value: number) => HEIGHT - (value / max) * plotHeight;
  const xOf = (ms: number) => Math.min(width, Math.max(0, ((ms - axis.startMs) / (axis.endMs - axis.startMs)) * width));
  const { x: firstX, width: pointsWidth } = placeOfLine(
    { startMs, stepMs, points: named[0]?.points ?? [] },
    axis,
    width,
  );

  const cursor = useTimeCursor({ startMs, stepMs, count, axis, frame, isShared: true, onZoom });
  const { index, selected } = cursor;
  const momentOf = (at: number) => startMs + at * stepMs;
  const atPoint = (at: number) => {
    const atMs = momentOf(at);
    const marked = annotations.filter((each) => each.startMs < atMs + stepMs && each.endMs >= atMs);
    return [
      ...drawn.map((line) => {
        const own = Math.floor((atMs + stepMs / 2 - line.startMs) / line.stepMs);
        return `${line.name} ${valueText(line.points[own])}`;
      }),
      ...marked.slice(0, MOST_TEXTS).map(({ text }) => text),
    ];
  };
  const last = Math.max(0, count - 1);

  return (
    <div>
      <div
        ref={frame}
        class={onZoom ? 'chart bar-choice' : 'chart'}
        role="slider"
        {...sliderOf({
          label,
          last,
          at: index,
          text:
            count === 0
              ? 'No data yet'
              : `${momentText(momentOf(index ?? last), Date.now())}: ${atPoint(index ?? last).join(', ')}`,
        })}
        onBlur={cursor.leave}
        {...cursor.handlers}
        {...cursor.keys}
      >
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {annotations.map(({ kind = 'incident', ...each }, at) => {
            const x = xOf(each.startMs);
            return (
              <rect
                key={at}
                class={`chart-${kind}`}
                x={x}
                y={TOP}
                width={kind === 'mark' ? 1.5 : Math.max(2, xOf(each.endMs) - x)}
                height={plotHeight}
              />
            );
          })}
          {ticks.map((tick) => (
            <line key={tick} class="chart-grid" x1={0} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
          ))}
          <g transform={`translate(${firstX} ${TOP})`}>
            {series.p50 && series.p95 && (
              <path class="chart-band" d={bandPath(series.p50, series.p95, pointsWidth, plotHeight, max)} />
            )}
            {series.lost && <path class="chart-area" d={areaPath(series.lost, pointsWidth, plotHeight, max)} />}
            {layers.map(({ name, color, base, points }) => (
              <path
                key={name}
                class="chart-layer"
                style={{ fill: `var(--series-${color})` }}
                d={bandPath(base, points, pointsWidth, plotHeight, max)}
              />
            ))}
            {LINES.toReversed().map((name) => (
              <path
                key={name}
                class={`chart-line chart-${name}`}
                d={linePath(series[name] ?? [], pointsWidth, plotHeight, max)}
              />
            ))}
          </g>
          {others.map((line) => {
            const { x, width: own } = placeOfLine(line, axis, width);
            return (
              <path
                key={line.name}
                class="chart-line chart-other"
                transform={`translate(${x} ${TOP})`}
                style={{ stroke: `var(--series-${line.color})` }}
                d={linePath(line.points, own, plotHeight, max)}
              />
            );
          })}
          {/* Inside, so that the plot is as wide as the bars above it. */}
          {ticks.slice(1).map((tick) => (
            <text key={tick} class="chart-label chart-value" x={4} y={yOf(tick) + 12}>
              {valueText(tick).replace(/\.0+ /, ' ')}
            </text>
          ))}
          {selected !== undefined && (
            <rect
              class="slot-selected"
              x={xOf(momentOf(selected.from))}
              y={TOP}
              width={xOf(momentOf(selected.to)) - xOf(momentOf(selected.from))}
              height={plotHeight}
            />
          )}
          {index !== undefined && (
            <line
              class="chart-cursor"
              x1={xOf(momentOf(index + 0.5))}
              x2={xOf(momentOf(index + 0.5))}
              y1={TOP}
              y2={HEIGHT}
            />
          )}
          {values.length === 0 && (
            <text class="chart-label" x={width / 2} y={HEIGHT / 2} text-anchor="middle">
              No data in this range
            </text>
          )}
        </svg>
        {cursor.isOwn && index !== undefined && (
          <Tip at={xOf(momentOf(index + 0.5)) / width}>
            <strong>{momentText(momentOf(index), Date.now())}</strong>
            {atPoint(index).map((text) => (
              <span key={text}>{text}</span>
            ))}
          </Tip>
        )}
      </div>
      <TimeAxis {...axis} marks={annotations.filter(({ kind }) => kind === 'mark')} />
      <div class="chart-key wrap gap-1-4 soft small" aria-hidden="true">
        {LINES.filter((name) => series[name] !== undefined).map((name) => (
          <span key={name} class={`chart-key-${name}`}>
            {name}
          </span>
        ))}
        {[...parts, ...others].map(({ name, color }) => (
          <span key={name} class="flex center gap-2">
            <svg width="16" height="3">
              <rect style={{ fill: `var(--series-${color})` }} width="16" height="3" />
            </svg>
            {name}
          </span>
        ))}
        {(['incident', 'maintenance', 'mark'] as const)
          .filter((kind) => annotations.some((each) => (each.kind ?? 'incident') === kind))
          .map((kind) => (
            <span key={kind} class={`chart-key-${kind}`}>
              {kind}
            </span>
          ))}
      </div>
      {annotations.length > 0 && (
        <ul class="unseen" aria-label={`${label}: what happened`}>
          {annotations.map(({ text }, at) => (
            <li key={at}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Each part from the top of those before it; nothing where one is missing. */
function stackOf(parts: readonly NamedLine[]): (NamedLine & { base: readonly Point[] })[] {
  let base: readonly Point[] = Array.from(parts[0]?.points ?? [], () => 0);
  return parts.map((part) => {
    const own = base;
    base = part.points.map((value, at) => (value === null || own[at] === null ? null : value + own[at]!));
    return { ...part, base: own, points: base };
  });
}
