import { groupBy } from '@watchpost/shared/group-by';
import { during, isFailover, naming, timeOf } from './disturbances.js';
import type { Disturbance, Finding, Judgement, MonitorRow, Write } from './observation.js';

/** The standby of a failover lacks at most what was answered in this time before it, and what a former primary still took. */
const LAG_MS = 25_000;

/** The last change of each monitor that was answered must be in the database. Only a failover may lose it. */
export function judgeWrites(
  writes: readonly Write[],
  stored: ReadonlyMap<string, MonitorRow>,
  disturbances: readonly Disturbance[],
): Judgement {
  const rule = 'changes lost';
  const findings: Finding[] = [];
  let judged = 0;
  for (const [monitorId, own] of groupBy(writes, (write) => write.monitorId)) {
    const last = own.at(-1)!;
    // Nobody knows whether a change without an answer happened.
    if (last.answeredMs === null || own.some(({ answeredMs }) => answeredMs === null)) continue;
    judged++;
    const row = stored.get(monitorId);
    const fault = last.expected === null ? row && 'is not deleted' : differenceOf(last.expected, row);
    if (fault === undefined) continue;
    const near = during(disturbances, own[0]!.sentMs, last.answeredMs + LAG_MS, LAG_MS).filter(isFailover);
    const what = `monitor ${monitorId}, answered ${timeOf(last.answeredMs)}: ${fault}`;
    findings.push({ rule, atMs: last.answeredMs, what, ...(near.length > 0 ? { explanation: naming(near) } : {}) });
  }
  return { rule, meaning: 'monitors whose last change over REST was answered and is not stored', judged, findings };
}

function differenceOf(expected: Partial<MonitorRow>, row: MonitorRow | undefined): string | undefined {
  if (!row) return 'does not exist';
  const different = (Object.keys(expected) as (keyof MonitorRow)[]).filter((field) => row[field] !== expected[field]);
  return different.length === 0
    ? undefined
    : different.map((field) => `${field} is ${row[field]}, not ${expected[field]}`).join('; ');
}
