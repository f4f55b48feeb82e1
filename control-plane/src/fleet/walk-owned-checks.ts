import type { CheckSpec } from '@watchpost/shared/check';
import type { Database } from '../db/database.js';
import type { AgentIdentity } from '../grpc/index.js';
import { ownedChecks } from './decide-delta.js';
import type { MonitorCheckSource } from './monitor-checks.js';
import type { Ownership } from './region-roster.js';

const PAGE = 500;

/**
 * Every check that an agent owns, page by page.
 * @param onHorizon told once, before the first check: the revision to ask changes from afterwards
 */
export async function* walkOwnedChecks(
  { db, checks }: { db: Database; checks: MonitorCheckSource },
  agent: AgentIdentity,
  ownership: Ownership,
  onHorizon?: (horizon: number) => void,
): AsyncGenerator<CheckSpec> {
  let afterKey: number | null = 0;
  for (let first = true; afterKey !== null; first = false) {
    const page: { afterKey: number; limit: number } = { afterKey, limit: PAGE };
    const answer = await db.read((tx) => checks.all(tx, page));
    if (first) onHorizon?.(answer.horizon);
    for (const monitor of answer.monitors) yield* ownedChecks(monitor, agent, ownership);
    afterKey = answer.nextAfterKey;
  }
}
