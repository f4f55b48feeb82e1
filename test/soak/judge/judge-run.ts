import { judgeChecks, type CheckFacts } from './judge-checks.js';
import {
  judgeDuplicateIncidents,
  judgeFalseIncidents,
  judgeIncidentEnds,
  judgeMissingIncidents,
  type IncidentFacts,
} from './judge-incidents.js';
import { judgeMessages, judgeUnknownIncidents, type MessageFacts } from './judge-messages.js';
import { judgeEnds, judgeRecovery, judgeReports } from './judge-recovery.js';
import { judgeQueues, judgeResources } from './judge-resources.js';
import { judgeLostResults, judgeTotals, scheduledAtMs } from './judge-results.js';
import { judgeWrites } from './judge-writes.js';
import type { Judgement, MonitorRow, QueueSample, Sample, StoredResult, Write } from './observation.js';

/** Everything that was observed in a run. */
export interface Observation extends CheckFacts, IncidentFacts, MessageFacts {
  spooled: ReadonlySet<string>;
  results: readonly StoredResult[];
  livingKeys: ReadonlySet<number>;
  totals: readonly { subject: string; reported: number; stored: number }[];
  writes: readonly Write[];
  monitors: ReadonlyMap<string, MonitorRow>;
  processSamples: readonly Sample[];
  queueSamples: readonly QueueSample[];
  ends: readonly { process: string; atMs: number; how: string; lastLines: string }[];
  reports: readonly { what: string; atMs: number }[];
}

/** Entries that may be left in a queue at the end, because results come all the time. */
const MOST_LEFT = 50;

/** Applies every rule. */
export function judgeRun(seen: Observation): Judgement[] {
  const known = new Set(seen.incidents.map(({ id }) => id));
  return [
    judgeLostResults(
      // Later ones may be on their way while disks and database are read.
      new Set([...seen.spooled].filter((key) => scheduledAtMs(key) < seen.toMs)),
      seen.results,
      seen.livingKeys,
      new Set(seen.watched.map(({ key }) => key)),
      seen.disturbances,
    ),
    judgeTotals(seen.totals),
    ...judgeChecks(seen),
    judgeFalseIncidents(seen),
    judgeMissingIncidents(seen),
    judgeDuplicateIncidents(seen),
    judgeIncidentEnds(seen),
    ...judgeMessages(seen),
    judgeUnknownIncidents(seen.messages, known, seen.disturbances),
    judgeWrites(seen.writes, seen.monitors, seen.disturbances),
    judgeRecovery(seen.disturbances),
    judgeEnds(seen.ends, seen.disturbances),
    judgeReports(seen.reports),
    ...judgeResources(seen.processSamples),
    judgeQueues(seen.queueSamples, MOST_LEFT),
  ];
}

/** The findings that no fault explains. */
export function violationsOf(judgements: readonly Judgement[]): number {
  return judgements.reduce(
    (sum, { findings }) => sum + findings.filter((one) => one.explanation === undefined).length,
    0,
  );
}
