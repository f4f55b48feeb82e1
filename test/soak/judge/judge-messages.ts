import { groupBy } from '@watchpost/shared/group-by';
import { during, isFailover, naming, timeOf } from './disturbances.js';
import type { Disturbance, Finding, Judgement, Message, StoredIncident } from './observation.js';

export interface MessageFacts {
  /** In the order of their arrival, taken with success. */
  messages: readonly Message[];
  /** Those that have to be notified on each channel. */
  incidents: readonly StoredIncident[];
  channels: readonly Message['channel'][];
  disturbances: readonly Disturbance[];
}

/** A message that was sent and not recorded is sent again; a fault is in effect for this long after the recovery. */
const RESENT_MS = 50_000;
/** A failover may take back the record of what was sent in the last minute. */
const FAILOVER_MS = 75_000;

/** Each incident has one message of its beginning and one of its end on each channel. */
export function judgeMessages(facts: MessageFacts): Judgement[] {
  const missing: Finding[] = [];
  const doubled: Finding[] = [];
  const order: Finding[] = [];
  const byIncident = groupBy(facts.messages, ({ channel, incidentId }) => `${channel} ${incidentId}`);
  let judged = 0;
  for (const channel of facts.channels) {
    for (const { id, isClosed, createdMs } of facts.incidents) {
      const own = byIncident.get(`${channel} ${id}`) ?? [];
      for (const type of isClosed ? ['incident.opened', 'incident.resolved'] : ['incident.opened']) {
        judged++;
        if (!own.some((one) => one.type === type))
          missing.push({ rule: 'messages missing', atMs: createdMs, what: `${channel}: ${type} of ${id}` });
      }
    }
  }
  for (const own of byIncident.values()) {
    doubled.push(...doubledOf(own, facts.disturbances));
    const ended = own.findIndex(({ type }) => type === 'incident.resolved');
    const begun = own.findIndex(({ type }) => type === 'incident.opened');
    if (ended !== -1 && begun > ended) {
      const { channel, incidentId, atMs } = own[ended]!;
      order.push({
        rule: 'messages out of order',
        atMs,
        what: `${channel}: the end of ${incidentId} came before its beginning`,
      });
    }
  }
  return [
    {
      rule: 'messages missing',
      meaning: 'beginnings and ends of incidents of which a receiver was not notified',
      judged,
      findings: missing,
    },
    {
      rule: 'messages doubled',
      meaning: 'messages that a receiver took twice, beyond what at-least-once delivery allows',
      judged: facts.messages.length,
      findings: doubled,
    },
    {
      rule: 'messages out of order',
      meaning: 'ends that arrived before beginnings',
      judged: byIncident.size,
      findings: order,
    },
  ];
}

/**
 * The same message again, under the same id, is explained by any fault while it was sent. Another message of the same type is
 * explained only by a failover.
 */
function doubledOf(own: readonly Message[], disturbances: readonly Disturbance[]): Finding[] {
  const findings: Finding[] = [];
  for (const [index, one] of own.entries()) {
    const same = own.slice(0, index).findLast(({ type }) => type === one.type);
    // Notes and updates may come more often.
    if (!same || !['incident.opened', 'incident.resolved'].includes(one.type)) continue;
    const isRepeated = same.messageId === one.messageId;
    const near = isRepeated
      ? during(disturbances, same.atMs, one.atMs, RESENT_MS)
      : during(disturbances, same.atMs, one.atMs, FAILOVER_MS).filter(isFailover);
    const what = `${one.channel}: ${one.type} of ${one.incidentId} at ${timeOf(same.atMs)} and ${timeOf(one.atMs)}, ${isRepeated ? 'under one id' : 'under two ids'}`;
    findings.push({
      rule: 'messages doubled',
      atMs: one.atMs,
      what,
      ...(near.length > 0 ? { explanation: naming(near) } : {}),
    });
  }
  return findings;
}

/** A message about an incident that does not exist is explained only by a failover that lost the incident. */
export function judgeUnknownIncidents(
  messages: readonly Message[],
  known: ReadonlySet<string>,
  disturbances: readonly Disturbance[],
): Judgement {
  const rule = 'messages about no incident';
  const findings = messages
    .filter(({ incidentId }) => !known.has(incidentId))
    .map(({ channel, type, incidentId, atMs }): Finding => {
      const near = during(disturbances, atMs, atMs + FAILOVER_MS, 0).filter(isFailover);
      const what = `${channel}: ${type} of ${incidentId} at ${timeOf(atMs)}`;
      return { rule, atMs, what, ...(near.length > 0 ? { explanation: naming(near) } : {}) };
    });
  return {
    rule,
    meaning: 'messages about incidents that the database does not have',
    judged: messages.length,
    findings,
  };
}
