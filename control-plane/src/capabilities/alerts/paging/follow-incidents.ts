import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import type { AlertEvent } from '../alert-event.js';
import { cancelDeliveries, type Contact, notifyContacts } from '../delivery/notify-contacts.js';
import { isInQuietHours } from './reachable-member.js';
import { pagingStore } from './paging-store.js';

type IncidentEvent = AlertEvent & { incidentId: string };

/**
 * Starts and stops paging when incidents open, are acknowledged, recover, fail again or close, in the transaction of the
 * event. People who were paged are notified when the incident ends.
 */
export async function followIncidents(deps: { clock: Clock }, tx: Tx, events: readonly AlertEvent[]): Promise<void> {
  const ofIncidents = events.filter((event): event is IncidentEvent => event.incidentId !== null);
  const beginning = ofIncidents.filter(startsPaging);
  if (beginning.length > 0) await pagingStore.begin(tx, beginning, new Date(deps.clock.now()));
  const ending = ofIncidents.filter((event) => whyStopped(event) !== null);
  if (ending.length === 0) return;
  const incidentIds = ending.map(({ incidentId }) => incidentId);
  const paging = await pagingStore.stop(tx, incidentIds);
  // Most incidents page nobody: the batch of results that ends them does no further work here.
  const notices: { event: AlertEvent; contacts: Contact[] }[] = [];
  for (const event of ending.filter(({ incidentId }) => paging.has(incidentId))) {
    const { workspaceId, incidentId } = event;
    await cancelDeliveries(deps, tx, { workspaceId, incidentId, purpose: 'page', why: whyStopped(event)! });
    if (event.type !== 'incident.acknowledged')
      notices.push({ event, contacts: await reachedContacts(deps, tx, event) });
  }
  await notifyContacts(deps, tx, notices, 'paged');
}

function startsPaging({ type, detail }: AlertEvent): boolean {
  if (type === 'incident.opened') return true;
  return type === 'incident.updated' && (detail['change'] === 'unacknowledged' || detail['change'] === 'relapsed');
}

/** Returns why an event stops the paging; null where it does not. */
function whyStopped({ type, detail }: AlertEvent): string | null {
  if (type === 'incident.acknowledged') return 'The incident was acknowledged before this was sent.';
  if (type === 'incident.resolved') return 'The incident ended before this was sent.';
  return type === 'incident.updated' && detail['change'] === 'recovered'
    ? 'The monitor recovered before this was sent.'
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
