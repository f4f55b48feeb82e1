import { now } from '../data/clock.js';
import { durationText, exactText, momentText, relativeText, utcText } from './format.js';

/**
 * A moment in the viewer's zone, with UTC on hover.
 * @param at ISO 8601, or ms since the epoch
 * @param as `relative` (`12 s ago`, follows the clock), `moment` (`22 Nov, 21:05`) or `second` (`22 Nov, 21:05:13`)
 */
export function Time({ at, as = 'relative' }: { at: string | number; as?: 'relative' | 'moment' | 'second' }) {
  const atMs = typeof at === 'number' ? at : Date.parse(at);
  const text =
    as === 'relative' ? relativeText(atMs, now.value) : momentText(atMs, now.peek(), undefined, as === 'second');
  return (
    <time class="time" dateTime={new Date(atMs).toISOString()} title={`${exactText(atMs)}\n${utcText(atMs)}`}>
      {text}
    </time>
  );
}

/**
 * A length of time. Without an end it follows the clock.
 * @param from ISO 8601
 * @param to ISO 8601; null while it goes on
 */
export function Duration({ from, to }: { from: string; to: string | null }) {
  const endMs = to === null ? now.value : Date.parse(to);
  return <span class="num">{durationText(endMs - Date.parse(from))}</span>;
}
