import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import type { AlertEvent } from '../alert-event.js';
import { cancelDeliveries, type Contact, notifyContacts } from '../delivery/notify-contacts.js';
import { isInQuietHours } from './reachable-member.js';
import { pagingStore } from './paging-store.js';

type IncidentEvent = AlertEvent & { incidentId: string };

/**
 * What becomes of paging when incidents open, are acknowledged, recover, fail again or close: in the same transaction.
 * Who was paged hears that it is over.
 */
export async function followIncidents(deps: { clock: Clock }, tx: Tx, events: readonly AlertEvent[]): Promise<void> {
  const ofIncidents = events.filter((event): event is IncidentEvent => event.incidentId !== null);
  const beginning = ofIncidents.filter(begins);
  if (beginning.length > 0) await pagingStore.begin(tx, beginning, new Date(deps.clock.now()));
  const ending = ofIncidents.filter((event) => whyOver(event) !== null);
  if (ending.length === 0) return;
  const incidentIds = ending.map(({ incidentId }) => incidentId);
  const paging = await pagingStore.stop(tx, incidentIds);
  // Most incidents page nobody, and cost the batch of results that ends them nothing more.
  const notices: { event: AlertEvent; contacts: Contact[] }[] = [];
  for (const event of ending.filter(({ incidentId }) => paging.has(incidentId))) {
    const { workspaceId, incidentId } = event;
    await cancelDeliveries(deps, tx, { workspaceId, incidentId, purpose: 'page', why: whyOver(event)! });
    if (event.type !== 'incident.acknowledged')
      notices.push({ event, contacts: await reachedContacts(deps, tx, event) });
  }
  await notifyContacts(deps, tx, notices, 'paged');
}

function begins({ type, detail }: AlertEvent): boolean {
  if (type === 'incident.opened') return true;
  return type === 'incident.updated' && (detail['change'] === 'unacknowledged' || detail['change'] === 'relapsed');
}

/** Why nobody need be paged any more; null where somebody still does. */
function whyOver({ type, detail }: AlertEvent): string | null {
  if (type === 'incident.acknowledged') return 'The incident was acknowledged before this was sent.';
  if (type === 'incident.resolved') return 'The incident was over before this was sent.';
  return type === 'incident.updated' && detail['change'] === 'recovered'
    ? 'The incident had recovered before this was sent.'
    : null;
}

async function reachedContacts(deps: { clock: Clock }, tx: Tx, event: IncidentEvent): Promise<Contact[]> {
  const reached = await pagingStore.reached(event.workspaceId, tx, event.incidentId);
  if (reached.length === 0) return [];
  const members = await pagingStore.members(event.workspaceId, tx, [...new Set(reached.map(({ userId }) => userId))]);
  const awake = new Set(
    members.filter((member) => !isInQuietHours(member, deps.clock.now())).map(({ userId }) => userId),
  );
  return reached
    .filter(({ userId }) => awake.has(userId))
    .map(({ channel, address }): Contact => ({ channel, address, extra: { why: 'You were paged for this.' } }));
}
