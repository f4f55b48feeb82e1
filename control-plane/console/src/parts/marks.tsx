import type { ComponentChildren } from 'preact';
import { STATE_LOOKS } from '@watchpost/shared/design/states';
import type { State } from './state.js';
import { now } from '../data/clock.js';
import { durationText, exactText, momentText, relativeText, utcText } from './format.js';
import { connectionState } from '../data/connection.js';
import { LIVE_REFRESH_MS } from '../data/resources.js';

/**
 * A state by colour, shape and word.
 * @param word another word for it, where what is in this state is no monitor
 * @param isQuiet shows the mark alone; the word remains for screen readers and on hover
 */
export function StateMark(props: { state: State; word?: string; isQuiet?: boolean }) {
  const { state, word = STATE_LOOKS[state].word, isQuiet = false } = props;
  const { fill, line, dashes } = STATE_LOOKS[state].mark;
  return (
    <span class={`state state-${state}`} title={isQuiet ? word : undefined}>
      <svg class="rigid" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
        {fill && <path d={fill} fill="currentColor" />}
        {line && <path d={line} fill="none" stroke="currentColor" stroke-width="1.8" stroke-dasharray={dashes} />}
      </svg>
      <span class={isQuiet ? 'unseen' : 'state-word'}>{word}</span>
    </span>
  );
}

interface WithinProps {
  before?: string;
  after?: string;
  class?: string;
}

function Within({ before, after, class: name, children }: WithinProps & { children: ComponentChildren }) {
  const content = [before, children, after];
  return name ? <span class={name}>{content}</span> : <>{content}</>;
}

/**
 * A moment in the viewer's zone, with UTC on hover.
 * @param at ISO 8601, or ms since the epoch
 * @param as `relative` (`12 s ago`, follows the clock), `moment` (`22 Nov, 21:05`) or `second` (`22 Nov, 21:05:13`)
 */
export function Time(props: WithinProps & { at: string | number; as?: 'relative' | 'moment' | 'second' }) {
  const { at, as = 'relative', ...within } = props;
  const atMs = typeof at === 'number' ? at : Date.parse(at);
  const text =
    as === 'relative' ? relativeText(atMs, now.value) : momentText(atMs, now.peek(), undefined, as === 'second');
  return (
    <Within {...within}>
      <time class="time" dateTime={new Date(atMs).toISOString()} title={`${exactText(atMs)}\n${utcText(atMs)}`}>
        {text}
      </time>
    </Within>
  );
}

/**
 * A length of time. Without an end it follows the clock.
 * @param from ISO 8601
 * @param to ISO 8601; null while it goes on
 */
export function Duration({ from, to, ...within }: WithinProps & { from: string; to: string | null }) {
  const endMs = to === null ? now.value : Date.parse(to);
  return (
    <Within {...within}>
      <span class="num">{durationText(endMs - Date.parse(from))}</span>
    </Within>
  );
}

const FRESH_MS = 20_000;
/** A live answer is read again in this time, and a little later where the server is slow. */
const LIVE_MS = LIVE_REFRESH_MS + FRESH_MS;

/** Shows whether what is on the screen is live, and otherwise how old it is. */
export function Age({ receivedMs }: { receivedMs: number }) {
  const ageMs = now.value - receivedMs;
  const look = decideLook(connectionState.value, ageMs);
  if (receivedMs === 0) return null;
  const text = { live: 'Live', polled: relativeText(receivedMs, now.value), old: `${durationText(ageMs)} old` }[look];
  return (
    <span class={`age center soft nowrap tabular age-${look}`} title={`Read ${durationText(ageMs)} ago`}>
      {text}
    </span>
  );
}

/** Without events what is shown is read every 15 s, and is no more live than that. With them, some of it may be refused. */
export function decideLook(state: typeof connectionState.value, ageMs: number): 'live' | 'polled' | 'old' {
  if (state === 'live' && ageMs < LIVE_MS) return 'live';
  return state === 'polling' && ageMs < FRESH_MS ? 'polled' : 'old';
}
