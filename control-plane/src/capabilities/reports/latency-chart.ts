import { DAY_MS } from '@watchpost/shared/time';
import { type Html, html } from '../../platform/http/html.js';
import { dayText, minuteText } from '../../platform/pages/moment-text.js';
import type { ReportView } from './report-schemas.js';

const WIDTH = 720;
const HEIGHT = 240;
const FRAME = { left: 56, right: 12, top: 12, bottom: 28 };
const PLOT = { width: WIDTH - FRAME.left - FRAME.right, height: HEIGHT - FRAME.top - FRAME.bottom };
const GRID_LINES = 4;
const TIME_MARKS = 4;
/** Points further apart than this multiple of the usual distance are not joined: nothing was measured between them. */
const GAP_FACTOR = 2.5;

/** Distinguishable without colours, by the dash pattern that the legend repeats. */
const LINES = [
  { color: '#0a5cad', dashes: '' },
  { color: '#b3261e', dashes: '7 3' },
  { color: '#1a7f4b', dashes: '2 2' },
  { color: '#8a4b00', dashes: '10 3 2 3' },
  { color: '#5a3f9e', dashes: '5 2 2 2 2 2' },
  { color: '#0b6b6b', dashes: '14 4' },
  { color: '#7a2062', dashes: '1 3' },
  { color: '#333b44', dashes: '4 6' },
] as const;

type Series = ReportView['latency']['series'];
export interface ChartLine {
  name: string;
  series: Series;
}

/** Average latency over time, one line per region, on one scale. */
export function latencyChart(
  report: Pick<ReportView, 'periodStart' | 'periodEnd' | 'timezone'>,
  lines: readonly ChartLine[],
): Html {
  const drawn = lines.filter(({ series }) => series.length > 0).slice(0, LINES.length);
  if (drawn.length === 0) return html`<p>No successful check in this period: there is no latency to draw.</p>`;
  const [startMs, endMs] = [Date.parse(report.periodStart), Date.parse(report.periodEnd)];
  const top = niceCeiling(Math.max(...drawn.flatMap(({ series }) => series.map(({ average }) => average))));
  const xOf = (ms: number) => round(FRAME.left + ((ms - startMs) / (endMs - startMs)) * PLOT.width);
  const yOf = (value: number) => round(FRAME.top + (1 - value / top) * PLOT.height);
  const grid = Array.from({ length: GRID_LINES + 1 }, (_, index) => (top / GRID_LINES) * index).map(
    (value) =>
      html`<line
          class="grid"
          x1="${FRAME.left}"
          x2="${WIDTH - FRAME.right}"
          y1="${yOf(value)}"
          y2="${yOf(value)}"
        /><text class="axis" x="${FRAME.left - 6}" y="${yOf(value) + 4}" text-anchor="end">${label(value)} ms</text>`,
  );
  const isLong = endMs - startMs > 2 * DAY_MS;
  const marks = Array.from(
    { length: TIME_MARKS + 1 },
    (_, index) => startMs + ((endMs - startMs) / TIME_MARKS) * index,
  ).map(
    (ms, index) =>
      html`<text
        class="axis"
        x="${xOf(ms)}"
        y="${HEIGHT - 8}"
        text-anchor="${index === 0 ? 'start' : index === TIME_MARKS ? 'end' : 'middle'}"
        >${isLong ? dayText(ms, report.timezone) : minuteText(ms, report.timezone)}</text
      >`,
  );
  const paths = drawn.map(({ series }, index) => {
    const { color, dashes } = LINES[index]!;
    const path = pathOf(series, xOf, yOf);
    return html`<path class="line" d="${path}" stroke="${color}" stroke-dasharray="${dashes || 'none'}" />`;
  });
  const name = `Average latency by region over time: ${drawn.map((line) => describeLine(line)).join('; ')}`;
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${name}">
      ${grid}${marks}${paths}
    </svg>
    <ul class="legend">
      ${drawn.map(({ name: region }, index) => legendItem(region, index))}
    </ul>`;
}

function legendItem(name: string, index: number): Html {
  const { color, dashes } = LINES[index]!;
  return html`<li>
    <svg width="44" height="8" aria-hidden="true">
      <line x1="0" x2="44" y1="4" y2="4" stroke="${color}" stroke-width="2.5" stroke-dasharray="${dashes || 'none'}" />
    </svg>
    ${name}
  </li>`;
}

function describeLine({ name, series }: ChartLine): string {
  const values = series.map(({ average }) => average);
  return `${name} from ${label(Math.min(...values))} to ${label(Math.max(...values))} ms`;
}

/** A line with gaps where nothing was measured; a single point becomes a dot. */
function pathOf(series: Series, xOf: (ms: number) => number, yOf: (value: number) => number): string {
  const times = series.map(({ time }) => Date.parse(time));
  const steps = times
    .slice(1)
    .map((ms, index) => ms - times[index]!)
    .toSorted((a, b) => a - b);
  const usual = steps[Math.floor(steps.length / 2)] ?? 0;
  let path = '';
  series.forEach(({ average }, index) => {
    const isBroken = index === 0 || times[index]! - times[index - 1]! > usual * GAP_FACTOR;
    const isAlone = isBroken && (index === series.length - 1 || times[index + 1]! - times[index]! > usual * GAP_FACTOR);
    path += `${isBroken ? 'M' : 'L'}${xOf(times[index]!)} ${yOf(average)}${isAlone ? 'h0.1' : ''}`;
  });
  return path;
}

/** The next of 1, 2, 4, 5 or 8 times a power of ten, which four lines divide into readable parts. */
export function niceCeiling(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 4, 5, 8].find((step) => step * power >= value) ?? 10);
}

function label(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
