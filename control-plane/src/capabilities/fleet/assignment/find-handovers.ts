import { checkCode, type CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { Region } from '@watchpost/shared/region';
import type { Database, Tx } from '../../../platform/db/database.js';
import type { Handover } from '@watchpost/shared/wire/messages';
import { decideHandover, type HandoverQuestion } from './decide-handover.js';

/** The newest due time of which a region has a result, for each check of these monitors that has one. */
export type NewestDue = (tx: Tx, region: Region, monitorKeys: readonly number[]) => Promise<Handover[]>;

export interface HandoversDeps {
  db: Database;
  clock: Clock;
  newestDue: NewestDue;
}

/** Between the moment at which an epoch began and the one at which we heard of it, ms. */
const SLACK_MS = 250;

/**
 * What an agent owes of checks that it is told of.
 * @returns by the code of the check
 */
export async function findHandovers(
  { db, clock, newestDue }: HandoversDeps,
  region: Region,
  checks: readonly CheckSpec[],
  question: HandoverQuestion,
): Promise<Map<number, Handover>> {
  const [last] = question.ownership.former;
  const sinceEpochMs = last ? Math.floor(clock.now() - (question.nowAt - last.endedAt) - SLACK_MS) : 0;
  const handovers = new Map<number, Handover>();
  const asked: CheckSpec[] = [];
  const owedSince = decideHandover(question);
  for (const check of checks) {
    const code = checkCode(check.key);
    const since = owedSince(code);
    if (since === 'epoch') handovers.set(code, { key: check.key, completedThroughMs: sinceEpochMs });
    else if (since === 'newest') asked.push(check);
  }
  if (asked.length === 0) return handovers;
  const keys = [...new Set(asked.map(({ key }) => key.monitorKey))];
  const newest = await db.read((tx) => newestDue(tx, region, keys));
  const done = new Map(newest.map((one) => [checkCode(one.key), one.completedThroughMs]));
  for (const { key } of asked)
    handovers.set(checkCode(key), { key, completedThroughMs: done.get(checkCode(key)) ?? 0 });
  return handovers;
}
