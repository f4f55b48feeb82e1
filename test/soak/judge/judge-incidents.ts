import { during, endOf, isFailover, isOfControl, naming, timeOf } from './disturbances.js';
import { HOUR_MS } from '@watchpost/shared/time';
import { scheduledTimes } from './judge-checks.js';
import type { Disturbance, Finding, Judgement, Outage, Request, StoredIncident, Watched } from './observation.js';

export interface IncidentFacts {
  watched: readonly Watched[];
  outages: readonly Outage[];
  requests: ReadonlyMap<string, readonly Request[]>;
  incidents: readonly StoredIncident[];
  disturbances: readonly Disturbance[];
  fromMs: number;
  toMs: number;
}

/** From a failed request to the moment at which the incident names it as its start. */
const CLOCK_MS = 2_000;
/** A check may begin 15 s late, a first failure of a lone region is held for 10 s, and a silent target costs 30 s of timeout. */
const LATE_MS = 60_000;
/** After a recovery, results that waited are stored within this time. */
const REPLAY_MS = 15_000;
const TIMEOUT_MS = 30_000;
/** More changes of a monitor within an hour are flapping, which keeps its incident open (`decide-incident-track.ts`) … */
const FLAP_LIMIT = 6;
/** … until there are no more than this. */
const FLAP_CALM = 3;
/** The first failure of a lone region is held for 10 s, or longer while another region is asked. */
const HOLD_MS = 25_000;
/** However many faults follow one another, an incident opens within this time more. */
const GRANTED_MS = 120_000;

/**
 * An incident needs a failed request at its target, from one interval before its start on. A fault explains none. Targets of
 * monitors that are not watched never fail.
 */
export function judgeFalseIncidents({ watched, requests, incidents }: IncidentFacts): Judgement {
  const rule = 'false incidents';
  const findings: Finding[] = [];
  const known = new Map(watched.map((one) => [one.id, one]));
  for (const { id, monitorId, startedMs, createdMs, reason, type } of incidents) {
    const one = known.get(monitorId);
    const own = one ? (requests.get(one.subject) ?? []) : [];
    const proof = own.some(
      ({ atMs, isGood }) => !isGood && atMs >= startedMs - one!.intervalMs && atMs <= createdMs + CLOCK_MS,
    );
    const what = `${one?.subject ?? monitorId}: ${type} ${id} from ${timeOf(startedMs)}: ${reason}`;
    if (!proof) findings.push({ rule, atMs: startedMs, what });
  }
  return {
    rule,
    meaning: 'incidents of targets that had answered every request well',
    judged: incidents.length,
    findings,
  };
}

/**
 * An outage that enough checks have seen in every region needs an incident, as long as it lasts. A first failure may be held for a while,
 * and a silent target costs the timeout of the check. Time in which a fault of the control planes, their database, or an agent
 * of the region was in effect, and a while after it, is added up to a limit, since the results may have waited.
 */
export function judgeMissingIncidents(facts: IncidentFacts): Judgement {
  const rule = 'missing incidents';
  const findings: Finding[] = [];
  const bySubject = new Map(facts.watched.map((one) => [one.subject, one]));
  let judged = 0;
  for (const outage of facts.outages) {
    const one = bySubject.get(outage.subject);
    const seenMs = one && whenSeen(one, outage, facts.requests.get(outage.subject) ?? []);
    if (!one || seenMs === undefined) continue;
    const answerMs = outage.mode === 'silent' ? TIMEOUT_MS : 0;
    const deadlineMs = withFaults(seenMs, seenMs + answerMs + HOLD_MS, one, facts.disturbances);
    if (deadlineMs > Math.min(outage.toMs, facts.toMs)) continue;
    judged++;
    const own = facts.incidents.filter(({ monitorId }) => monitorId === one.id);
    const isOpen = own.some(
      ({ createdMs, endedMs }) => createdMs <= deadlineMs && (endedMs === null || endedMs > outage.fromMs),
    );
    if (isOpen) continue;
    const later = own.find(({ createdMs }) => createdMs > outage.fromMs && createdMs < outage.toMs + LATE_MS);
    const what = `${one.subject}: ${outage.mode} from ${timeOf(outage.fromMs)} to ${timeOf(outage.toMs)}, seen ${timeOf(seenMs)}, due ${timeOf(deadlineMs)}`;
    findings.push({ rule, atMs: outage.fromMs, what: later ? `${what}, opened ${timeOf(later.createdMs)}` : what });
  }
  return { rule, meaning: 'outages that enough checks had seen and that had no incident in time', judged, findings };
}

/** @returns when the failure that decides was seen in the last of the regions; undefined: it was not */
function whenSeen(one: Watched, outage: Outage, requests: readonly Request[]): number | undefined {
  const times = one.regions.map((region) => {
    const own = requests.filter((request) => request.region === null || request.region === region);
    const checks = scheduledTimes(one, region, outage.fromMs, outage.toMs).flatMap((dueMs) => {
      const first = own.find(({ atMs }) => atMs >= dueMs - CLOCK_MS && atMs < dueMs - CLOCK_MS + one.intervalMs);
      return first && !first.isGood ? [first.atMs] : [];
    });
    return checks[one.checksBeforeAlert - 1];
  });
  return times.every((ms) => ms !== undefined) ? Math.max(...times) : undefined;
}

function withFaults(fromMs: number, untilMs: number, one: Watched, disturbances: readonly Disturbance[]): number {
  const relevant = disturbances.filter(
    (fault) => isOfControl(fault) || (fault.region && one.regions.includes(fault.region)),
  );
  let deadlineMs = untilMs;
  let countedMs = fromMs;
  for (const fault of relevant.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const endMs = endOf(fault) + REPLAY_MS;
    if (fault.fromMs > deadlineMs || endMs <= countedMs) continue;
    deadlineMs += endMs - Math.max(countedMs, fault.fromMs);
    countedMs = endMs;
  }
  return Math.min(deadlineMs, untilMs + GRANTED_MS);
}

/** An outage has one incident. Two of one monitor that overlap, or that one outage caused, are duplicates. */
export function judgeDuplicateIncidents({
  watched,
  outages,
  incidents,
  requests,
  disturbances,
}: IncidentFacts): Judgement {
  const rule = 'duplicate incidents';
  const findings: Finding[] = [];
  const known = new Map(watched.map((one) => [one.id, one]));
  const inOrder = [...incidents].toSorted((a, b) => a.startedMs - b.startedMs);
  for (const [index, second] of inOrder.entries()) {
    const subject = known.get(second.monitorId)?.subject;
    const first = inOrder
      .slice(0, index)
      .findLast(({ monitorId, type }) => monitorId === second.monitorId && type === second.type);
    if (subject === undefined || !first) continue;
    const outage = outages.find(
      (one) => one.subject === subject && one.fromMs <= first.startedMs && second.startedMs < one.toMs,
    );
    const overlaps = first.endedMs === null || first.endedMs > second.startedMs;
    // A target that answered well in between has recovered, whatever was planned.
    const wasGood = (requests.get(subject) ?? []).some(
      ({ atMs, isGood }) => isGood && atMs > first.startedMs && atMs < second.startedMs,
    );
    if (!overlaps && (!outage || wasGood)) continue;
    const near = during(disturbances, first.startedMs, second.createdMs, REPLAY_MS).filter(isFailover);
    const what = `${subject}: ${first.id} from ${timeOf(first.startedMs)}, ${second.id} from ${timeOf(second.startedMs)}`;
    findings.push({
      rule,
      atMs: second.startedMs,
      what,
      ...(near.length > 0 && !overlaps ? { explanation: naming(near) } : {}),
    });
  }
  return { rule, meaning: 'second incidents of one outage', judged: incidents.length, findings };
}

/**
 * Whether a monitor is flapping by the rule of the product, and how often it changed within the last hour.
 * @param changesMs when its trouble began or ended, in order
 */
export function flappingAt(changesMs: readonly number[], toMs: number): { isFlapping: boolean; changes: number } {
  const within = (endMs: number) => changesMs.filter((ms) => ms <= endMs && ms > endMs - HOUR_MS).length;
  let isFlapping = false;
  for (const atMs of changesMs) {
    isFlapping &&= within(atMs - 1) > FLAP_CALM;
    isFlapping ||= within(atMs) > FLAP_LIMIT;
  }
  const changes = within(toMs);
  return { isFlapping: isFlapping && changes > FLAP_CALM, changes };
}

/** An incident ends by a good answer: one within an interval and the lateness of a check before its end. */
export function judgeIncidentEnds({ watched, incidents, requests, toMs }: IncidentFacts): Judgement {
  const rule = 'wrong ends of incidents';
  const findings: Finding[] = [];
  const known = new Map(watched.map((one) => [one.id, one]));
  const judged = incidents.filter(({ monitorId }) => known.has(monitorId));
  for (const { id, monitorId, endedMs, startedMs } of judged) {
    const { subject, intervalMs } = known.get(monitorId)!;
    const own = requests.get(subject) ?? [];
    const name = `${subject}: ${id} from ${timeOf(startedMs)}`;
    if (endedMs === null) {
      const badMs = own.findLast(({ isGood }) => !isGood)?.atMs ?? startedMs;
      const goodFor = toMs - badMs;
      const changesMs = incidents
        .filter((one) => one.monitorId === monitorId)
        .flatMap((one) => [one.startedMs, one.endedMs ?? badMs + intervalMs]);
      const { isFlapping, changes } = flappingAt(
        changesMs.toSorted((one, other) => one - other),
        toMs,
      );
      if (goodFor > intervalMs + LATE_MS)
        findings.push({
          rule,
          what: `${name} is open, and the target has been well for ${Math.round(goodFor / 1000)} s`,
          ...(isFlapping && { explanation: `flapping: ${changes} changes within the last hour keep it open` }),
        });
      continue;
    }
    const proof = own.some(
      ({ atMs, isGood }) => isGood && atMs >= endedMs - intervalMs - LATE_MS && atMs <= endedMs + CLOCK_MS,
    );
    if (!proof) findings.push({ rule, atMs: endedMs, what: `${name} ended ${timeOf(endedMs)} without a good answer` });
  }
  return {
    rule,
    meaning: 'incidents that ended without a good answer, or did not end after it',
    judged: judged.length,
    findings,
  };
}
