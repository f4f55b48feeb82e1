import { HOUR_MS } from '@watchpost/shared/time';
import { Html, html } from '../../../platform/http/html.js';
import { minuteText, momentText } from '../../../platform/pages/moment-text.js';
import { spanBar } from '../../../platform/pages/span-bar.js';
import type { DayOfIncident } from './read-evidence-document.js';
import { millisecondsText } from './words.js';

const WIDTH = 960;
const HEIGHT = 140;
const TOP = 6;
/** Points further apart than this multiple of the usual distance are not joined: nothing was measured between them. */
const GAP_FACTOR = 2.5;

export interface DayPicture {
  day: DayOfIncident;
  startedMs: number;
  /** When it ended, or now. */
  endMs: number;
  zone: string;
}

/** Availability and latency of the 24 hours around an incident; null where nothing was measured. */
export function daySection({ day: { spans, latency }, startedMs, endMs, zone }: DayPicture): Html | null {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last || spans.every(({ status }) => status === 'unknown')) return null;
  const [fromMs, toMs] = [Date.parse(first.start), Date.parse(last.end)];
  return html`<section>
    <h2>The 24 hours around it</h2>
    <div class="card">
      <p class="soft">Availability</p>
      ${spanBar('Availability', spans, zone)} ${curve(latency, { fromMs, toMs, startedMs, endMs, zone })}
      <p class="soft">
        ${momentText(fromMs, zone)} to ${momentText(toMs, zone)}. Above: availability. An outage reaches above the bar,
        a partial outage is lower, and a line at the foot is unknown. Below: the average latency of successful checks.
        The dashed frame is the incident.
      </p>
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
  const xOf = (ms: number) => Math.round(((Math.min(Math.max(ms, fromMs), toMs) - fromMs) / (toMs - fromMs)) * WIDTH);
  const yOf = (value: number) => Math.round(TOP + (1 - value / most) * (HEIGHT - 2 * TOP));
  const times = points.map(({ time }) => Date.parse(time));
  const steps = times.slice(1).map((ms, index) => ms - times[index]!);
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? HOUR_MS;
  let path = '';
  points.forEach(({ average }, index) => {
    const isBroken = index === 0 || times[index]! - times[index - 1]! > usual * GAP_FACTOR;
    path += `${isBroken ? 'M' : 'L'}${xOf(times[index]!)} ${yOf(average)}${isBroken ? 'h.1' : ''}`;
  });
  const [left, right] = [xOf(startedMs), xOf(endMs)];
  const low = Math.min(...points.map(({ average }) => average));
  const marks = [0, 6, 12, 18, 24].map((hours) => html`<span>${minuteText(fromMs + hours * HOUR_MS, zone)}</span>`);
  const picture = new Html(
    `<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Average latency, from ${millisecondsText(low)} to ${millisecondsText(most)}">` +
      `<rect class="during" x="${left}" y="1" width="${Math.max(4, right - left)}" height="${HEIGHT - 2}"/>` +
      `<path class="rule" d="M0 ${yOf(0)}H${WIDTH}M0 ${yOf(most)}H${WIDTH}"/><path class="curve" d="${path}"/></svg>`,
  );
  return html`<p class="soft">Average latency, up to ${millisecondsText(most)}</p>
    ${picture}
    <p class="ends soft" aria-hidden="true">${marks}</p>`;
}
