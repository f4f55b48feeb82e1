import { during, isFailover, naming } from './disturbances.js';
import type { Disturbance, Finding, Judgement, StoredResult } from './observation.js';

/** The standby of a failover lacks at most the changes of this time. */
const LAG_MS = 25_000;

/**
 * No result that was on an agent's disk may be missing in the database: an agent replays what it has, and after a failover what
 * was acknowledged in the last 75 s. The only exception: a failover may lose a change of a monitor, and with it the
 * scheduled time that the change began.
 * @param spooled `key/kind/region/scheduled time` of every result that was seen in a spool
 * @param living the keys of the monitors that exist: results of others are refused
 */
export function judgeLostResults(
  spooled: ReadonlySet<string>,
  stored: readonly StoredResult[],
  living: ReadonlySet<number>,
  /** The keys of the monitors that are never changed. */
  unchanged: ReadonlySet<number>,
  disturbances: readonly Disturbance[],
): Judgement {
  const rule = 'results lost';
  const findingOf = (what: string): Finding => {
    const [key = ''] = what.split('/');
    const atMs = scheduledAtMs(what);
    const near = unchanged.has(Number(key)) ? [] : during(disturbances, atMs, atMs + LAG_MS, LAG_MS).filter(isFailover);
    return { rule, what, atMs, ...(near.length > 0 ? { explanation: naming(near) } : {}) };
  };
  const known = new Set(stored.map(resultKey));
  const judged = [...spooled].filter((key) => living.has(Number(key.split('/')[0])));
  return {
    rule,
    meaning: 'results that were on the disk of an agent and are not in the database',
    judged: judged.length,
    findings: judged.filter((key) => !known.has(key)).map(findingOf),
  };
}

export function resultKey({ key, kind, region, scheduledMs }: Omit<StoredResult, 'outcome'>): string {
  return `${key}/${kind}/${region}/${new Date(scheduledMs).toISOString()}`;
}

/** What REST reports for a monitor and a period must be the number of its stored conclusive results: each counts once. */
export function judgeTotals(totals: readonly { subject: string; reported: number; stored: number }[]): Judgement {
  const rule = 'results miscounted';
  return {
    rule,
    meaning: 'monitors whose total over REST is not the number of their scheduled times with a conclusive result',
    judged: totals.length,
    findings: totals
      .filter(({ reported, stored }) => reported !== stored)
      .map(({ subject, reported, stored }) => ({ rule, what: `${subject}: ${reported} reported, ${stored} stored` })),
  };
}

/** @param key `key/kind/region/scheduled time` of a result */
export function scheduledAtMs(key: string): number {
  return Date.parse(key.split('/')[3] ?? '');
}
