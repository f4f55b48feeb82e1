import type { Via } from '../../platform/identity/caller.js';
import type { IncidentEventInput } from './incident-commands.js';

/** The channels that timelines name: an assistant, and the acknowledge link of a message. */
const NAMED_CHANNELS: Partial<Record<Via['channel'], string>> = { mcp: 'mcp', link: 'page' };

/** Adds to a person's events the channel by which they came, where it is a named one. */
export function eventsBy({ via }: { via: Via }, events: readonly IncidentEventInput[]): IncidentEventInput[] {
  const channel = NAMED_CHANNELS[via.channel];
  if (channel === undefined) return [...events];
  const origin = { via: channel, ...(via.client === null ? {} : { client: via.client }) };
  return events.map((event) => ({ ...event, detail: { ...event.detail, ...origin } }));
}
