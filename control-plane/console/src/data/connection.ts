import { computed, signal } from '@preact/signals';
import { nowMs } from './clock.js';

/** Whether requests reach the server. */
const isReachable = signal(true);

/** `live`: events arrive; `polling`: they do not, so that what is shown is read again every 15 s. */
export const eventStream = signal<'connecting' | 'live' | 'polling'>('connecting');

/** When something was last heard from the server, ms since the epoch. */
export const lastHeardMs = signal(nowMs());

/** Until when requests wait because the server asked for it (429 or 503), ms since the epoch; 0 if they do not. */
export const waitsUntilMs = signal(0);

export const connectionState = computed<'live' | 'polling' | 'lost'>(() => {
  if (!isReachable.value) return 'lost';
  return eventStream.value === 'live' ? 'live' : 'polling';
});

export function noteHeard(): void {
  isReachable.value = true;
  lastHeardMs.value = nowMs();
}

export function noteLost(): void {
  isReachable.value = false;
}
