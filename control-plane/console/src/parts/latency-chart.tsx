import { useEffect, useRef, useState } from 'preact/hooks';
import { clockText, latencyText, momentText } from './format.js';
import { areaPath, axisTicks, linePath, timeTicks, type Point } from './plot.js';
import { slotAt } from './slots.js';
import { Tip, useCursor } from './state-bar.js';

export interface LatencySeries {
  /** Of the first point, ISO 8601. */
  start: string;
  stepSeconds: number;
  /** ms, null where data is missing. All have one length. */
  average?: readonly Point[];
  p50?: readonly Point[];
  p95?: readonly Point[];
  p99?: readonly Point[];
}

/** A stretch of time that is marked, ms since the epoch. */
export interface MarkedSpan {
  startMs: number;
  endMs: number;
  /** What it was, for screen readers. */
  text: string;
}

const HEIGHT = 180;
const LEFT = 56;
const BOTTOM = 24;
const TOP = 8;
const LINES = ['average', 'p50', 'p95', 'p99'] as const;
const DAY_MS = 86_400_000;

/** Latency over time with axes. Hovering, or focus and the arrow keys, shows the values of a moment. */
export function LatencyChart(props: { series: LatencySeries; label: string; incidents?: readonly MarkedSpan[] }) {
  const { series, label } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(240, entry!.contentRect.width)));
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);

  const count = Math.max(0, ...LINES.map((name) => series[name]?.length ?? 0));
  const values = LINES.flatMap((name) => (series[name] ?? []).filter((value) => value !== null));
  const lowest = series.average ?? series.p50;
  const startMs = Date.parse(series.start);
  const stepMs = series.stepSeconds * 1_000;
  const endMs = startMs + count * stepMs;
  const incidents = (props.incidents ?? []).filter((each) => each.startMs < endMs && each.endMs > startMs);
  const ticks = axisTicks(Math.max(0, ...values));
  const max = ticks.at(-1)!;
  const plotWidth = width - LEFT - 8;
  const plotHeight = HEIGHT - TOP - BOTTOM;
  const yOf = (value: number) => TOP + plotHeight - (value / max) * plotHeight;
  const xOf = (at: number) => LEFT + (at / Math.max(1, count - 1)) * plotWidth;
  const xOfTime = (ms: number) => LEFT + ((ms - startMs) / (endMs - startMs)) * plotWidth;
  const tickText = (ms: number) =>
    endMs - startMs <= 2 * DAY_MS ? clockText(ms) : momentText(ms, Date.now()).replace(/,.*/, '');

  const { index, setIndex, follow, step } = useCursor(count, ({ clientX }) =>
    slotAt(clientX - frame.current!.getBoundingClientRect().left - LEFT, plotWidth, count),
  );
  const atPoint = (at: number) => {
    const atMs = startMs + at * stepMs;
    const isIncident = incidents.some((each) => each.startMs < atMs + stepMs && each.endMs > atMs);
    const texts: string[] = LINES.filter((name) => series[name] !== undefined).map(
      (name) => `${name} ${latencyText(series[name]?.[at])}`,
    );
    return isIncident ? [...texts, 'during an incident'] : texts;
  };

  return (
    <>
      <div
        ref={frame}
        class="chart"
        tabIndex={0}
        role="slider"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, count - 1)}
        aria-valuenow={index ?? Math.max(0, count - 1)}
        aria-valuetext={
          count === 0
            ? 'No data yet'
            : `${momentText(startMs + (index ?? count - 1) * stepMs, Date.now())}: ${atPoint(index ?? count - 1).join(', ')}`
        }
        onKeyDown={step}
        onBlur={() => setIndex(undefined)}
        onPointerMove={follow}
        onPointerLeave={() => setIndex(undefined)}
      >
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {incidents.map((each, at) => {
            const x = xOfTime(Math.max(each.startMs, startMs));
            const end = xOfTime(Math.min(each.endMs, endMs));
            return (
              <rect key={at} class="chart-incident" x={x} y={TOP} width={Math.max(2, end - x)} height={plotHeight} />
            );
          })}
          {ticks.map((tick) => (
            <g key={tick}>
              <line class="chart-grid" x1={LEFT} x2={LEFT + plotWidth} y1={yOf(tick)} y2={yOf(tick)} />
              <text class="chart-label" x={LEFT - 8} y={yOf(tick) + 4} text-anchor="end">
                {tick === 0 ? '0' : latencyText(tick).replace('.0 ms', ' ms')}
              </text>
            </g>
          ))}
          {timeTicks(startMs, endMs, Math.max(2, Math.floor(plotWidth / 90))).map((tick) => (
            <text key={tick} class="chart-label" x={xOfTime(tick)} y={HEIGHT - 6} text-anchor="middle">
              {tickText(tick)}
            </text>
          ))}
          <g transform={`translate(${LEFT} ${TOP})`}>
            {lowest && <path class="chart-area" d={areaPath(lowest, plotWidth, plotHeight, max)} />}
            {LINES.toReversed().map((name) => (
              <path
                key={name}
                class={`chart-line chart-${name}`}
                d={linePath(series[name] ?? [], plotWidth, plotHeight, max)}
              />
            ))}
          </g>
          {index !== undefined && count > 0 && (
            <line class="chart-cursor" x1={xOf(index)} x2={xOf(index)} y1={TOP} y2={TOP + plotHeight} />
          )}
          {values.length === 0 && (
            <text class="chart-label" x={LEFT + plotWidth / 2} y={TOP + plotHeight / 2} text-anchor="middle">
              No data in this range
            </text>
          )}
        </svg>
        {index !== undefined && count > 0 && (
          <Tip at={xOf(index) / width}>
            <strong>{momentText(startMs + index * stepMs, Date.now())}</strong>
            {atPoint(index).map((text) => (
              <span key={text}>{text}</span>
            ))}
          </Tip>
        )}
        <div class="chart-key flex gap-4 soft small" aria-hidden="true">
          {LINES.filter((name) => series[name] !== undefined).map((name) => (
            <span key={name} class={`chart-key-${name}`}>
              {name}
            </span>
          ))}
          {incidents.length > 0 && <span class="chart-key-incident">incident</span>}
        </div>
      </div>
      {incidents.length > 0 && (
        <ul class="unseen" aria-label={`${label}: incidents`}>
          {incidents.map(({ text }, at) => (
            <li key={at}>{text}</li>
          ))}
        </ul>
      )}
    </>
  );
}
