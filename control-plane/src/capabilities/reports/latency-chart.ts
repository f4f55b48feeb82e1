import { DAY_MS } from '@watchpost/shared/time';
import { type Html, html } from '../../platform/http/html.js';
import { averagePath } from '@watchpost/shared/design/even-series';
import { axisTicks } from '@watchpost/shared/design/plot';
import { dayText, minuteText } from '@watchpost/shared/design/texts';
import type { ReportView } from './report-schemas.js';

const WIDTH = 720;
const HEIGHT = 240;
const FRAME = { left: 56, right: 12, top: 18, bottom: 28 };
const PLOT = { width: WIDTH - FRAME.left - FRAME.right, height: HEIGHT - FRAME.top - FRAME.bottom };
const TIME_MARKS = 4;

/** By region: the style has the colours (`l0` and so on); the legend repeats the dashes, for readers who do not see colours. */
const DASHES = ['none', '7 3', '2 3', '10 3 2 3', '5 2 2 2 2 2', '14 4', '1 3', '4 6'] as const;

type Series = ReportView['latency']['series'];
export interface ChartLine {
  name: string;
  series: Series;
}

/** Average latency over time, one line per region, on one scale, with the incidents marked. */
export function latencyChart(
  report: Pick<ReportView, 'periodStart' | 'periodEnd' | 'timezone'>,
  lines: readonly ChartLine[],
  incidents: ReportView['incidents'],
): Html {
  const drawn = lines.filter(({ series }) => series.length > 0).slice(0, DASHES.length);
  if (drawn.length === 0) return html`<p>No check succeeded in this period, so there is no latency.</p>`;
  const [startMs, endMs] = [Date.parse(report.periodStart), Date.parse(report.periodEnd)];
  const ticks = axisTicks(Math.max(...drawn.flatMap(({ series }) => series.map(({ average }) => average))));
  const top = ticks.at(-1)!;
  // A point is the start of its step, which may be before the period.
  const xOf = (ms: number) => round(FRAME.left + ((Math.max(ms, startMs) - startMs) / (endMs - startMs)) * PLOT.width);
  const yOf = (value: number) => round(FRAME.top + (1 - value / top) * PLOT.height);
  const grid = ticks.map(
    (value) =>
      html`<line
          class="grid"
          x1="${FRAME.left}"
          x2="${WIDTH - FRAME.right}"
          y1="${yOf(value)}"
          y2="${yOf(value)}"
        /><text class="axis" x="${FRAME.left - 6}" y="${yOf(value) + 4}" text-anchor="end">${label(value)}</text>`,
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
    const { x, d } = averagePath(series, { startMs, endMs }, { ...PLOT, max: top });
    return html`<path
      class="line l${index}"
      transform="translate(${FRAME.left + x} ${FRAME.top})"
      d="${d}"
      stroke-dasharray="${DASHES[index]}"
    />`;
  });
  const marked = incidents.items.flatMap(({ started, ended }) => {
    const span = {
      fromMs: Math.max(Date.parse(started), startMs),
      toMs: Math.min(ended === null ? endMs : Date.parse(ended), endMs),
    };
    return span.fromMs < span.toMs ? [span] : [];
  });
  const bands = marked.map(({ fromMs, toMs }) => {
    const x = xOf(fromMs);
    return html`<rect
      class="during"
      x="${x}"
      y="${FRAME.top}"
      width="${round(Math.max(1.5, xOf(toMs) - x))}"
      height="${PLOT.height}"
    />`;
  });
  const incidentText =
    marked.length === 0
      ? ''
      : `; ${marked.length} ${marked.length === 1 ? 'incident is' : 'incidents are'} marked and listed under Incidents`;
  const name = `Average latency by region over time: ${drawn.map((line) => describeLine(line)).join('; ')}${incidentText}`;
  return html`<p class="soft">Average of successful checks, in milliseconds</p>
    <div class="scroll" role="group" aria-label="Latency" tabindex="0">
      <svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${name}">
        ${bands}${grid}${marks}${paths}
      </svg>
    </div>
    <ul class="legend">
      ${drawn.map(({ name: region }, index) => legendItem(region, index))}
      ${
        marked.length > 0 &&
        html`<li>
          <svg width="36" height="12" aria-hidden="true"><rect class="during" width="36" height="12" /></svg>
          Incident
        </li>`
      }
    </ul>`;
}

function legendItem(name: string, index: number): Html {
  return html`<li>
    <svg width="36" height="8" aria-hidden="true">
      <line class="line l${index}" x1="1" x2="35" y1="4" y2="4" stroke-dasharray="${DASHES[index]}" />
    </svg>
    ${name}
  </li>`;
}

function describeLine({ name, series }: ChartLine): string {
  const values = series.map(({ average }) => average);
  return `${name} from ${label(Math.min(...values))} to ${label(Math.max(...values))} ms`;
}

function label(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
