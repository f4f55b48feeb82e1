import { averagePath } from '@watchpost/shared/design/even-series';
import { Html, html } from '../../../platform/http/html.js';
import { latencyText, minuteText, momentText } from '@watchpost/shared/design/texts';
import { barLegend, describeTotals, sinceWatched, spanBar } from '../../../platform/pages/span-bar.js';
import type { DayOfIncident } from './read-evidence-document.js';

const WIDTH = 960;
const HEIGHT = 140;
const TOP = 6;

export interface DayPicture {
  day: DayOfIncident;
  /** When the monitor was made. */
  watchedSince: Date;
  startedMs: number;
  /** When it ended, or now. */
  endMs: number;
  zone: string;
}

/** Availability and latency of the 24 hours around an incident; null where nothing was measured. */
export function daySection({ day, watchedSince, startedMs, endMs, zone }: DayPicture): Html | null {
  const { spans: whole, latency } = day;
  if (whole.every(({ status }) => status === 'unknown')) return null;
  const spans = sinceWatched(whole, watchedSince.toISOString());
  const [first, last] = [spans[0]!, spans.at(-1)!];
  const [fromMs, toMs] = [Date.parse(first.start), Date.parse(last.end)];
  const isYoung = first.start !== whole[0]!.start;
  const totals = describeTotals(spans);
  return html`<section>
    <h2>${isYoung ? 'History' : 'The 24 hours around it'}</h2>
    <div class="card">
      <h3>Availability</h3>
      ${spanBar('Availability', spans, zone)}
      <p class="ends">
        <span>${momentText(fromMs, zone)}</span><span>${totals}</span><span>${momentText(toMs, zone)}</span>
      </p>
      ${barLegend(spans)} ${curve(latency, { fromMs, toMs, startedMs, endMs, zone })}
    </div>
  </section>`;
}

function curve(
  points: DayOfIncident['latency'],
  {
    fromMs,
    toMs,
    startedMs,
    endMs,
    zone,
  }: { fromMs: number; toMs: number; startedMs: number; endMs: number; zone: string },
): Html | null {
  if (points.length === 0) return null;
  const most = Math.max(...points.map(({ average }) => average), 1);
  const low = Math.min(...points.map(({ average }) => average));
  const xOf = (ms: number) => Math.round(((Math.min(Math.max(ms, fromMs), toMs) - fromMs) / (toMs - fromMs)) * WIDTH);
  const [left, right] = [xOf(startedMs), xOf(endMs)];
  const range = { startMs: fromMs, endMs: toMs };
  const { x, d } = averagePath(points, range, { width: WIDTH, height: HEIGHT - 2 * TOP, max: most });
  const marks = [0, 1, 2, 3, 4].map(
    (part) => html`<span>${minuteText(fromMs + ((toMs - fromMs) / 4) * part, zone)}</span>`,
  );
  const picture = new Html(
    `<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Average latency, from ${latencyText(low)} to ${latencyText(most)}">` +
      `<rect class="during" x="${left}" y="1" width="${Math.max(4, right - left)}" height="${HEIGHT - 2}"/>` +
      `<path class="rule" d="M0 ${HEIGHT - TOP}H${WIDTH}M0 ${TOP}H${WIDTH}"/><path class="curve" transform="translate(${x} ${TOP})" d="${d}"/></svg>`,
  );
  return html`<h3>Latency</h3>
    ${picture}
    <p class="ends" aria-hidden="true">${marks}</p>
    <p class="soft">
      The average of successful checks, up to ${latencyText(most)}. The dashed frame is the incident.
    </p>`;
}
