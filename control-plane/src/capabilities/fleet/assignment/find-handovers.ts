import { checkCode, type CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { Handover } from '@watchpost/shared/wire/messages';
import type { Tx } from '../../../platform/db/database.js';
import type { AgentIdentity } from '../agents/agent-connection.js';
import type { WalkReads } from './bounded-reads.js';
import { decideHandover, type HandoverFacts } from './decide-handover.js';

/** Reads the newest scheduled time that has a result of a place, for each check of these monitors that has one. @param code of the place */
export type ReadNewestScheduledTimes = (tx: Tx, code: number, monitorKeys: readonly number[]) => Promise<Handover[]>;

export interface HandoverDeps {
  reads: Pick<WalkReads, 'readJoined'>;
  clock: Clock;
  readNewestScheduledTimes: ReadNewestScheduledTimes;
}

/** Allowance for the time between the start of an epoch and its arrival in this process, ms. */
const EPOCH_DELAY_MS = 250;
/** Of how many monitors the newest scheduled times are read at once for several agents. */
const MOST_KEYS = 500;

/**
 * Finds the handovers to send with checks that an agent is assigned. A check without a handover is the agent's from now on.
 * @returns by the code of the check
 */
export async function findHandovers(
  { reads, clock, readNewestScheduledTimes }: HandoverDeps,
  place: Pick<AgentIdentity, 'region' | 'code'>,
  checks: readonly CheckSpec[],
  facts: HandoverFacts,
): Promise<Map<number, Handover>> {
  const [last] = facts.ownership.former;
  const epochStartMs = last ? Math.floor(clock.now() - (facts.nowAt - last.endedAt) - EPOCH_DELAY_MS) : 0;
  const handovers = new Map<number, Handover>();
  const fromNewestResult: CheckSpec[] = [];
  const startOf = decideHandover(facts);
  for (const check of checks) {
    const code = checkCode(check.key);
    const start = startOf(code);
    if (start === 'epochStart') handovers.set(code, { key: check.key, completedThroughMs: epochStartMs });
    else if (start === 'newestResult') fromNewestResult.push(check);
  }
  if (fromNewestResult.length === 0) return handovers;
  const keys = [...new Set(fromNewestResult.map(({ key }) => key.monitorKey))];
  const completed = await reads.readJoined({
    name: `newest scheduled times of ${place.region}`,
    keys,
    mostKeys: MOST_KEYS,
    run: (tx, all) => readNewestScheduledTimes(tx, place.code, all),
    make: (newest) => new Map(newest.map(({ key, completedThroughMs }) => [checkCode(key), completedThroughMs])),
  });
  for (const { key } of fromNewestResult) {
    const code = checkCode(key);
    handovers.set(code, { key, completedThroughMs: completed.get(code) ?? 0 });
  }
  return handovers;
}
