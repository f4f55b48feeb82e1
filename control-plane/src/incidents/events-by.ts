import type { Actor } from '../identity/caller.js';
import type { IncidentEventInput } from './incident-commands.js';

/** Events that somebody caused; where it was done through an assistant, they say so, and through which one. */
export function eventsBy({ via }: Pick<Actor, 'via'>, events: readonly IncidentEventInput[]): IncidentEventInput[] {
  if (!via) return [...events];
  const told = { via: via.channel, ...(via.client === null ? {} : { client: via.client }) };
  return events.map((event) => ({ ...event, detail: { ...event.detail, ...told } }));
}
