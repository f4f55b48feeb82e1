import { checkCode, type CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { Region } from '@watchpost/shared/region';
import type { Database, Tx } from '../../../platform/db/database.js';
import type { Arrear } from '../../../platform/grpc/index.js';
import { decideArrear, type ArrearQuestion } from './decide-arrear.js';

/** The newest due time of which a region has a result, for each check of these monitors that has one. */
export type NewestDue = (tx: Tx, region: Region, monitorKeys: readonly number[]) => Promise<Arrear[]>;

export interface ArrearsDeps {
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
export async function findArrears(
  { db, clock, newestDue }: ArrearsDeps,
  region: Region,
  checks: readonly CheckSpec[],
  question: ArrearQuestion,
): Promise<Map<number, Arrear>> {
  const [last] = question.ownership.former;
  const sinceEpochMs = last ? Math.floor(clock.now() - (question.nowAt - last.endedAt) - SLACK_MS) : 0;
  const arrears = new Map<number, Arrear>();
  const asked: CheckSpec[] = [];
  const owedSince = decideArrear(question);
  for (const check of checks) {
    const code = checkCode(check.key);
    const since = owedSince(code);
    if (since === 'epoch') arrears.set(code, { key: check.key, doneThroughMs: sinceEpochMs });
    else if (since === 'newest') asked.push(check);
  }
  if (asked.length === 0) return arrears;
  const keys = [...new Set(asked.map(({ key }) => key.monitorKey))];
  const newest = await db.read((tx) => newestDue(tx, region, keys));
  const done = new Map(newest.map((one) => [checkCode(one.key), one.doneThroughMs]));
  for (const { key } of asked) arrears.set(checkCode(key), { key, doneThroughMs: done.get(checkCode(key)) ?? 0 });
  return arrears;
}
