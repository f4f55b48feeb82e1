import { computed, signal } from '@preact/signals';
import { nowMs } from './clock.js';

/** What reaches the server: requests, from which comes what is shown, or the stream of events alone. */
type Way = 'requests' | 'events';

/** What does not reach the server; undefined while all does. */
const lost = signal<Way>();

/** `live`: events arrive; `polling`: they do not, so that what is shown is read again every 15 s. */
export const eventStream = signal<'connecting' | 'live' | 'polling'>('connecting');

/** When something was last heard from the server, ms since the epoch. */
export const lastHeardMs = signal(nowMs());

/** Until when requests wait because the server asked for it (429 or 503), ms since the epoch; 0 if they do not. */
export const waitsUntilMs = signal(0);

export const connectionState = computed<'live' | 'polling' | 'lost'>(() => {
  if (lost.value !== undefined) return 'lost';
  return eventStream.value === 'live' ? 'live' : 'polling';
});

export function noteHeard(way: Way): void {
  // The stream may be alive while no request is answered.
  if (way === 'events' && lost.peek() === 'requests') return;
  lost.value = undefined;
  lastHeardMs.value = nowMs();
}

export function noteLost(way: Way): void {
  if (lost.peek() !== 'requests') lost.value = way;
}
