import { BAR_HEIGHT, barPaths, SLOT_WIDTH, type SlotState } from '@watchpost/shared/design/bar';
import { STATE_LOOKS } from '@watchpost/shared/design/states';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { Html, html } from '../http/html.js';
import { dayText, lengthText, minuteText, momentText } from '@watchpost/shared/design/texts';

/** A stretch of a timeline; times as in ISO 8601. */
export interface BarSpan {
  start: string;
  end: string;
  status: 'available' | 'partial' | 'unavailable' | 'unknown' | 'maintenance';
}

/** A bar has a slot for each of these, aligned to whole multiples in UTC: it stays the same while time passes. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 4, 7, 14, 28].map((days) => days * DAY_MS),
];
/** A day in steps of 15 minutes, cut at both ends. */
const MOST_SLOTS = 97;
/** A bar of fewer slots is as wide as these: its slots stay slender, at the right. */
const LEAST_SLOTS = 24;
/** A new monitor waits at most as long as this for its first check: that is no gap. */
const FIRST_CHECK_MS = HOUR_MS;
/** More than these are counted, not named, in what a screen reader reads out. */
const NAMED = 3;

/**
 * The timeline from where its data begins: a monitor that is younger than the timeline has no gap before it. Empty where
 * there is no data yet.
 * @param watchedSince when the monitor was made, ISO 8601; null where nothing is monitored
 */
export function sinceWatched(spans: readonly BarSpan[], watchedSince: string | null): readonly BarSpan[] {
  const known = spans.find(({ status }) => status !== 'unknown');
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last || (watchedSince === null && !known)) return [];
  const endMs = Date.parse(last.end);
  const madeMs = watchedSince === null ? Infinity : Date.parse(watchedSince);
  const knownMs = known ? Date.parse(known.start) : endMs;
  const fromMs = knownMs < madeMs + FIRST_CHECK_MS ? knownMs : madeMs;
  if (fromMs >= endMs) return [];
  if (madeMs <= Date.parse(first.start)) return spans;
  return spans.flatMap((span) => {
    if (Date.parse(span.end) <= fromMs) return [];
    return Date.parse(span.start) >= fromMs ? [span] : [{ ...span, start: new Date(fromMs).toISOString() }];
  });
}

/** A timeline as a bar, each slot as the worst that happened in it. */
export function spanBar(label: string, spans: readonly BarSpan[], zone = 'UTC'): Html {
  const slots = slotsOf(spans);
  if (slots.length === 0) return new Html('');
  return stateBar(`${label}: ${describeSpans(spans, zone)}`, slots, LEAST_SLOTS);
}

/** In increasing weight. */
const BY_WEIGHT = ['available', 'maintenance', 'unknown', 'partial', 'unavailable'] as const;

/** What each slot shows: the worst of all that it touches. */
function slotsOf(spans: readonly BarSpan[]): BarSpan['status'][] {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return [];
  const [startMs, endMs] = [Date.parse(first.start), Date.parse(last.end)];
  const countOf = (step: number) => Math.ceil(endMs / step) - Math.floor(startMs / step);
  const stepMs = STEPS_MS.find((step) => countOf(step) <= MOST_SLOTS) ?? STEPS_MS.at(-1)!;
  const zero = Math.floor(startMs / stepMs);
  const slots = Array.from<BarSpan['status']>({ length: countOf(stepMs) }).fill('unknown');
  for (const weighed of BY_WEIGHT) {
    for (const { start, end, status } of spans) {
      if (status !== weighed || start === end) continue;
      slots.fill(status, Math.floor(Date.parse(start) / stepMs) - zero, Math.ceil(Date.parse(end) / stepMs) - zero);
    }
  }
  return slots;
}

const wordOf = (status: BarSpan['status']) => STATE_LOOKS[status].word.toLowerCase();

export function describeSpans(spans: readonly BarSpan[], zone = 'UTC'): string {
  const disturbed = spans.filter(({ status }) => status !== 'available');
  if (disturbed.length === 0) return 'available throughout';
  if (spans.length === 1) return `${wordOf(spans[0]!.status)} throughout`;
  const named = disturbed.slice(-NAMED).map(({ start, end, status }) => {
    const [from, to] = [Date.parse(start), Date.parse(end)];
    const until = dayText(from, zone) === dayText(to, zone) ? minuteText(to, zone) : momentText(to, zone);
    return `${wordOf(status)} ${momentText(from, zone)} to ${until} (${lengthText(to - from)})`;
  });
  const more = disturbed.length - named.length;
  const before = more === 0 ? '' : `${more} earlier ${more === 1 ? 'disruption' : 'disruptions'}, then `;
  return `${before}${named.join(', ')}`;
}

/** Words how long it was not available, the worst first: `down for 20 min, unknown for 2 h`; empty where it was available throughout. */
export function describeTotals(spans: readonly BarSpan[]): string {
  const totals = new Map<BarSpan['status'], number>();
  for (const { start, end, status } of spans)
    totals.set(status, (totals.get(status) ?? 0) + Date.parse(end) - Date.parse(start));
  const parts = BY_WEIGHT.slice(1)
    .toReversed()
    .flatMap((status) => {
      const total = totals.get(status) ?? 0;
      return total > 0 ? [`${wordOf(status)} for ${lengthText(total)}`] : [];
    });
  return parts.join(', ');
}

/** What the slots of a bar mean, only those that it has. */
export function barLegend(spans: readonly BarSpan[]): Html {
  const shown = BY_WEIGHT.filter((weighed) => spans.some(({ status }) => status === weighed));
  return html`<ul class="legend">
    ${shown.map((status) => html`<li>${stateBar(null, [status])}${STATE_LOOKS[status].word}</li>`)}
  </ul>`;
}

/**
 * A bar that fills its place.
 * @param label must hold nothing that needs escaping; null where the word is beside it
 * @param least it is as wide as so many slots at least
 */
export function stateBar(label: string | null, slots: readonly SlotState[], least = 0): Html {
  const missing = Math.max(0, least - slots.length) * SLOT_WIDTH;
  const viewBox = `${-missing} 0 ${missing + slots.length * SLOT_WIDTH} ${BAR_HEIGHT}`;
  const name = label === null ? 'aria-hidden="true">' : `role="img"><title>${label}</title>`;
  const paths = barPaths(slots).map(([state, path]) => `<path class="slot-${state}" d="${path}"/>`);
  return new Html(`<svg class="bar" viewBox="${viewBox}" preserveAspectRatio="none" ${name}${paths.join('')}</svg>`);
}
