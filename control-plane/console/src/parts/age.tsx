import { now } from '../data/clock.js';
import { connectionState } from '../data/connection.js';
import { LIVE_REFRESH_MS } from '../data/resources.js';
import { durationText, relativeText } from './format.js';

const FRESH_MS = 20_000;
/** What is live is read again in this time, and a little later where the server is slow. */
const LIVE_MS = LIVE_REFRESH_MS + FRESH_MS;

/** Whether what is shown is live, and otherwise how old it is. */
export function Age({ receivedMs }: { receivedMs: number }) {
  const ageMs = now.value - receivedMs;
  const look = decideLook(connectionState.value, ageMs);
  if (receivedMs === 0) return null;
  const text = { live: 'Live', polled: relativeText(receivedMs, now.value), old: `${durationText(ageMs)} old` }[look];
  return (
    <span class={`age age-${look}`} title={`Read ${durationText(ageMs)} ago`}>
      {text}
    </span>
  );
}

/** Without events what is shown is read every 15 s, and is no more live than that. With them, some of it may be refused. */
export function decideLook(state: typeof connectionState.value, ageMs: number): 'live' | 'polled' | 'old' {
  if (state === 'live' && ageMs < LIVE_MS) return 'live';
  return state === 'polling' && ageMs < FRESH_MS ? 'polled' : 'old';
}
