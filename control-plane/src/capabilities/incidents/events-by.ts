import type { Via } from '../../platform/identity/caller.js';
import type { IncidentEventInput } from './incident-commands.js';

/** What timelines show: an assistant, or the link in a page to somebody on call. All else is ordinary. */
const SHOWN: Partial<Record<Via['channel'], string>> = { mcp: 'mcp', link: 'page' };

/** Events that somebody caused, with the way by which that was done where it is out of the ordinary. */
export function eventsBy({ via }: { via: Via }, events: readonly IncidentEventInput[]): IncidentEventInput[] {
  const shown = SHOWN[via.channel];
  if (shown === undefined) return [...events];
  const way = { via: shown, ...(via.client === null ? {} : { client: via.client }) };
  return events.map((event) => ({ ...event, detail: { ...event.detail, ...way } }));
}
