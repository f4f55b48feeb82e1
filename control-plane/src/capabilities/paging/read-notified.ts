import type { Tx } from '../../platform/db/database.js';
import { type NotifiedRow, notifiedStore } from './notified-store.js';

/** Who has been notified of an incident, and when the next person is. */
export interface Notified {
  /** People whose page was delivered: the first page of each, by time. The name is null where the person has left. */
  people: { userId: string; name: string | null; at: Date }[];
  /** Action groups of which a message was delivered: the first message of each, by time. */
  groups: { actionGroupId: string; name: string; channel: string; at: Date }[];
  /** Messages that were given up. */
  failedDeliveries: number;
  /** null where nobody else is going to be paged. */
  nextEscalationAt: Date | null;
}

const NOBODY: Notified = { people: [], groups: [], failedDeliveries: 0, nextEscalationAt: null };

/** Who has been notified of each of some incidents. Two statements, whatever their number. */
export async function readNotified(
  tx: Tx,
  workspaceId: string,
  incidentIds: readonly string[],
  nowMs: number,
): Promise<(incidentId: string) => Notified> {
  if (incidentIds.length === 0) return () => NOBODY;
  const rows = await notifiedStore.outcomes(workspaceId, tx, incidentIds);
  const due = await notifiedStore.nextSteps(workspaceId, tx, incidentIds, new Date(nowMs));
  const nextOf = new Map(due.map(({ incidentId, at }) => [incidentId, at]));
  const byIncident = new Map<string, NotifiedRow[]>();
  for (const row of rows) byIncident.set(row.incidentId, [...(byIncident.get(row.incidentId) ?? []), row]);
  return (incidentId) => ({
    ...notifiedOf(byIncident.get(incidentId) ?? []),
    nextEscalationAt: nextOf.get(incidentId) ?? null,
  });
}

function notifiedOf(rows: readonly NotifiedRow[]): Omit<Notified, 'nextEscalationAt'> {
  const people: Notified['people'] = [];
  const groups: Notified['groups'] = [];
  let failedDeliveries = 0;
  for (const { userId, userName, groupId, groupName, channel, at, failed } of rows) {
    failedDeliveries += failed;
    if (at === null) continue;
    if (userId !== null) people.push({ userId, name: userName, at });
    else if (groupId !== null) groups.push({ actionGroupId: groupId, name: groupName ?? '', channel, at });
  }
  const byTime = (a: { at: Date }, b: { at: Date }) => a.at.getTime() - b.at.getTime();
  // A person is paged by mail and by SMS: the first message counts.
  const first = people
    .toSorted(byTime)
    .filter(({ userId }, index, all) => all.findIndex((one) => one.userId === userId) === index);
  return { people: first, groups: groups.toSorted(byTime), failedDeliveries };
}
