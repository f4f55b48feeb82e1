import type { Clock } from '@watchpost/shared/clock';
import { keptStatements } from '../../platform/db/kept-statements.js';
import type { Database } from '../../platform/db/database.js';
import type { ApplyDeps } from '../incidents/index.js';
import { lockVerdicts, reachVerdicts } from '../verdicts/index.js';
import {
  applyPing,
  decideHeartbeat,
  type HeartbeatSubject,
  type ReachedHeartbeat,
  readHeartbeats,
  saveHeartbeats,
} from '../heartbeats/index.js';
import { keepBodies } from './keep-bodies.js';
import type { ReceivedPing } from './ping-queue.js';
import { pingStore, type PingTarget, type StoredPing } from './ping-store.js';

export interface StorePingsDeps extends ApplyDeps {
  db: Database;
  clock: Clock;
}

/** Rows that one tenant's work has locked hold up the pings of others no longer than this, ms. */
const OPTIONS = { lockTimeoutMs: 200 };

/**
 * Stores pings and the states that follow from them in one transaction. Most confirm what is known: their verdicts are not
 * decided again, and the time at which that is due stays, which can only be too early.
 * @returns the targets by the hash of the token, in hex; an unknown token has none, and nothing of its pings is stored
 */
export async function storePings(
  deps: StorePingsDeps,
  received: readonly ReceivedPing[],
): Promise<ReadonlyMap<string, PingTarget>> {
  return deps.db.transaction(async (tx) => {
    const hashes = new Map(received.map(({ hash }) => [hash.toString('hex'), hash]));
    const targets = await pingStore.targets(keptStatements(tx), [...hashes.values()]);
    const keys = [...new Set([...targets.values()].map(({ monitorKey }) => monitorKey))].sort((a, b) => a - b);
    if (keys.length === 0) return targets;
    const verdicts = await lockVerdicts(deps, tx, keys);
    const subjects = await readHeartbeats(keptStatements(tx), keys);
    const known = received.flatMap(({ hash, ping }) => {
      const target = targets.get(hash.toString('hex'));
      return target ? [{ ping, ...target }] : [];
    });
    const pings: StoredPing[] = [];
    for (const { ping, monitorKey } of await keepBodies(keptStatements(tx), known, deps.clock.now())) {
      const subject = subjects.get(monitorKey);
      if (!subject) continue;
      const { state, runtimeMs } = applyPing(subject.state, ping);
      subject.state = state;
      pings.push({ ...ping, atMs: state.lastPingMs!, runtimeMs, monitorKey: subject.monitorKey });
    }
    const reached: ReachedHeartbeat[] = [];
    const moved: number[] = [];
    for (const subject of subjects.values()) {
      const { monitorKey, state } = subject;
      const verdict = verdicts.get(monitorKey);
      // A paused monitor has pings and no verdict.
      const { isSettled, expectedByMs } = verdict
        ? settle(subject, verdict, deps.clock.now())
        : { isSettled: true, expectedByMs: null };
      if (!isSettled) moved.push(monitorKey);
      reached.push({ subject: { ...subject, state: { ...state, expectedByMs } }, change: null });
    }
    await saveHeartbeats(keptStatements(tx), reached);
    await pingStore.add(keptStatements(tx), pings);
    if (moved.length > 0) await reachVerdicts(deps, tx, moved);
    return targets;
  }, OPTIONS);
}

/** Whether the verdict stays, and will be looked at early enough. */
function settle(
  subject: HeartbeatSubject,
  known: { verdict: string; decideAtMs: number | null },
  nowMs: number,
): { isSettled: boolean; expectedByMs: number | null } {
  const { verdict, failure, expectedByMs, decideAtMs } = decideHeartbeat(subject, nowMs);
  const isInTime = decideAtMs === null || (known.decideAtMs !== null && known.decideAtMs <= decideAtMs);
  return { isSettled: verdict === known.verdict && failure === null && isInTime, expectedByMs };
}
