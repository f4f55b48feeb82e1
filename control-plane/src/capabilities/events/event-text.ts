import { eventIdOf, type EventPosition } from './event-position.js';
import type { WorkspaceEvent } from './workspace-event.js';

/** Events in the format of `text/event-stream`. Only the last one has the id: a client that sees a part of them sees them again. */
export function eventText(events: readonly WorkspaceEvent[], position: EventPosition): string {
  const texts = events.map(({ kind, id, version }) => `event: ${kind}\ndata: ${JSON.stringify({ id, version })}\n`);
  return `${texts.join('\n')}${idText(position)}`;
}

export function resetText(position: EventPosition): string {
  return `event: reset\ndata: {}\n${idText(position)}`;
}

export function retryText(ms: number): string {
  return `retry: ${Math.round(ms)}\n\n`;
}

/** Moves the point from which the client resumes, without an event (HTML §9.2.6: an id without data is kept, and nothing is dispatched). */
export function idText(position: EventPosition): string {
  return `id: ${eventIdOf(position)}\n\n`;
}
