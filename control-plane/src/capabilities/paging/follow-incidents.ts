import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import type { Tx } from '../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import { type AlertEvent, channelOf } from '../channels/index.js';
import { cancelDeliveries, type Contact, notifyContacts } from '../delivery/index.js';
import { decideAcknowledged } from './decide-escalation.js';
import { isInQuietHours, type ReachableMember } from './reachable-member.js';
import { pagingStore } from './paging-store.js';

export interface PublishDeps {
  clock: Clock;
  logger?: Logger;
}

type IncidentEvent = AlertEvent & { incidentId: string };

/**
 * Starts and stops paging when incidents open, are acknowledged, recover, fail again or close, in the transaction of the
 * event. People who were paged are notified when the incident ends, unless the event is silent.
 */
export async function followIncidents(deps: PublishDeps, tx: Tx, events: readonly AlertEvent[]): Promise<void> {
  const ofIncidents = events.filter((event): event is IncidentEvent => event.incidentId !== null);
  const beginning = ofIncidents.filter(startsPaging);
  if (beginning.length > 0) await pagingStore.begin(tx, beginning, new Date(deps.clock.now()));
  const worse = ofIncidents.filter(({ detail }) => detail['change'] === 'severity').map(({ incidentId }) => incidentId);
  if (worse.length > 0) await pagingStore.changeSeverity(tx, worse, new Date(deps.clock.now()));
  const noted = ofIncidents.filter(({ type }) => type === 'incident.note_added').map(({ incidentId }) => incidentId);
  if (noted.length > 0) await pagingStore.keepAcknowledged(tx, noted);
  const acknowledged = ofIncidents.filter(({ type }) => type === 'incident.acknowledged');
  if (acknowledged.length > 0) await acknowledge(deps, tx, acknowledged);
  const ending = ofIncidents.filter((event) => event.type !== 'incident.acknowledged' && whyStopped(event) !== null);
  if (ending.length === 0) return;
  const incidentIds = ending.map(({ incidentId }) => incidentId);
  const paging = await pagingStore.stop(tx, incidentIds);
  // Most incidents page nobody: the batch of results that ends them does no further work here.
  const paged = ending.filter(({ incidentId }) => paging.has(incidentId));
  if (paged.length === 0) return;
  const stopped = paged.map((event) => ({ ...event, why: whyStopped(event)! }));
  await cancelDeliveries(deps, tx, stopped, 'page');
  await notifyReached(
    deps,
    tx,
    paged.filter(({ isSilent }) => !isSilent),
  );
}

/** Stops paging where nobody else has to acknowledge. */
async function acknowledge(deps: PublishDeps, tx: Tx, events: readonly IncidentEvent[]): Promise<void> {
  const byIncident = new Map(events.map((event) => [event.incidentId, event]));
  const rows = (await pagingStore.lockAwaited(tx, [...byIncident.keys()])).map((row) => {
    const { actorId } = byIncident.get(row.incidentId)!.detail as { actorId?: string };
    const userId = actorId ?? null;
    return { ...row, userId, left: decideAcknowledged(row, userId) };
  });
  if (rows.length === 0) return;
  await pagingStore.acknowledge(tx, rows, new Date(deps.clock.now()));
  const goesOn = new Set(rows.flatMap(({ incidentId, left }) => (left ? [incidentId] : [])));
  const stopped = [...new Set(rows.map(({ incidentId }) => incidentId))].filter((id) => !goesOn.has(id));
  const cancelled = stopped.map((id) => ({ ...byIncident.get(id)!, why: whyStopped(byIncident.get(id)!)! }));
  if (cancelled.length > 0) await cancelDeliveries(deps, tx, cancelled, 'page');
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

/** Notifies the people who were paged that it is over, but for those who have quiet hours. */
async function notifyReached(deps: PublishDeps, tx: Tx, events: readonly IncidentEvent[]): Promise<void> {
  if (events.length === 0) return;
  const reached = groupBy(await pagingStore.reached(tx, events), ({ incidentId }) => incidentId);
  const awake = new Map<string, Set<string>>();
  for (const [workspaceId, people] of groupBy([...reached.values()].flat(), (person) => person.workspaceId)) {
    const members = await pagingStore.members(workspaceId, tx, [...new Set(people.map(({ userId }) => userId))]);
    const present = members.filter((member) => !isQuiet(deps, member));
    awake.set(workspaceId, new Set(present.map(({ userId }) => userId)));
  }
  const notices = events.map((event) => ({
    event,
    purpose: 'paged',
    contacts: (reached.get(event.incidentId) ?? [])
      .filter(({ workspaceId, userId }) => awake.get(workspaceId)?.has(userId))
      .filter(({ channel }) => !channelOf(channel).skips?.includes(event.type))
      .map(({ channel, address, key }): Contact => ({
        channel,
        address,
        key,
        extra: { why: 'You were paged for this.' },
      })),
  }));
  await notifyContacts(deps, tx, notices);
}

/** Quiet hours that cannot be read do not apply: the transaction is that of the results of many workspaces. */
function isQuiet({ clock, logger }: PublishDeps, member: ReachableMember): boolean {
  try {
    return isInQuietHours(member, clock.now());
  } catch (error) {
    logger?.warn({ err: error, userId: member.userId }, 'the quiet hours of a person cannot be read, and do not apply');
    return false;
  }
}
