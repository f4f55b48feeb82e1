import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { wholeRules } from '../../group-settings/index.js';
import { deliveryLaneOf } from '../queue/delivery-lane.js';
import { type FannedOutDelivery, fanOutStore, type FoundDestination } from '../queue/fan-out-store.js';
import { decideNotice, type NoticeDecision } from './decide-notice.js';
import { type NewWait, waitStore } from './wait-store.js';

const OUTSIDE_HOURS = 'It happened outside the hours of the channel.';
const TOO_MANY = 'Too much waits for this channel already.';

/**
 * Applies the rules of groups to destinations, in the order of their events: what is to be sent later waits.
 * @returns what is sent now, each event once to an address, and what is only listed because it is not sent
 */
export async function applyRules(
  { clock }: { clock: Clock },
  tx: Tx,
  destinations: readonly FoundDestination[],
): Promise<FannedOutDelivery[]> {
  const ruled = destinations.filter((one) => one.ruled !== null && one.incidentId !== null);
  if (destinations.every((one) => one.ruled === null)) return destinations.map(withoutRules);
  const heard = await fanOutStore.heard(
    tx,
    ruled.map(({ eventId, groupId }) => ({ eventId, groupId: groupId! })),
  );
  /** Groups and incidents of which the group is notified by one of these very events. */
  const hearsNow = new Set<string>();
  const waits = new Map<string, NewWait>();
  const decided = destinations.map((one): { one: FoundDestination; decision: NoticeDecision } => {
    if (one.ruled === null) return { one, decision: { kind: 'send', repeatMs: null } };
    const { rules, isPage, ...notice } = one.ruled;
    const pair = `${one.groupId} ${one.incidentId}`;
    const isHeard =
      isPage ||
      (one.eventType !== 'incident.opened' && (heard.has(`${one.eventId} ${one.groupId}`) || hearsNow.has(pair)));
    const isOfIncident = one.incidentId !== null;
    const decision = decideNotice(
      wholeRules(rules),
      { ...notice, type: one.eventType, isOfIncident, isHeard },
      clock.now(),
    );
    if (decision.kind === 'send') hearsNow.add(pair);
    for (const wait of waitsOf(one, decision)) {
      const key = `${wait.groupId} ${wait.subjectId} ${wait.reason}`;
      if (wait.reason === 'held' || !waits.has(key)) waits.set(key, wait);
    }
    return { one, decision };
  });
  const refused = waits.size === 0 ? new Set() : await waitStore.add(tx, [...waits.values()]);
  const sent = new Set<string>();
  return decided.flatMap(({ one, decision: { kind } }) => {
    if (kind === 'skip') return [];
    if (kind === 'drop') return [{ ...withoutRules(one), cancelled: OUTSIDE_HOURS }];
    if (kind === 'wait')
      return refused.has(`${one.groupId} ${subjectOf(one)}`) ? [{ ...withoutRules(one), cancelled: TOO_MANY }] : [];
    const once = `${one.eventId} ${deliveryLaneOf(one.channel, one.address, one.groupId, one.purpose).lane}`;
    if (sent.has(once)) return [];
    sent.add(once);
    return [withoutRules(one)];
  });
}

function withoutRules({ ruled: _, ...destination }: FoundDestination): FannedOutDelivery {
  return destination;
}

const subjectOf = ({ incidentId, eventId }: FannedOutDelivery) => incidentId ?? eventId;

function waitsOf(one: FannedOutDelivery, decision: NoticeDecision): NewWait[] {
  const wait = { workspaceId: one.workspaceId, groupId: one.groupId!, subjectId: subjectOf(one), eventId: null };
  if (decision.kind === 'send' && decision.repeatMs !== null)
    return [{ ...wait, reason: 'repeat', dueMs: decision.repeatMs }];
  if (decision.kind !== 'wait') return [];
  const { reason, dueMs } = decision;
  return [{ ...wait, reason, dueMs, eventId: reason === 'held' ? one.eventId : null }];
}
