import { now } from '../data/clock.js';
import { connectionState } from '../data/connection.js';
import { durationText, relativeText } from './format.js';

const FRESH_MS = 20_000;

/** Whether what is shown is live, and otherwise how old it is. */
export function Age({ receivedMs }: { receivedMs: number }) {
  const state = connectionState.value;
  const ageMs = now.value - receivedMs;
  if (receivedMs === 0) return null;
  // Without events what is shown is read every 15 s, and is no more live than that.
  const [look, text] =
    state === 'live'
      ? ['live', 'Live']
      : state === 'polling' && ageMs < FRESH_MS
        ? ['polled', relativeText(receivedMs, now.value)]
        : ['old', `${durationText(ageMs)} old`];
  return (
    <span class={`age age-${look}`} title={`Read ${durationText(ageMs)} ago`}>
      {text}
    </span>
  );
}
