import { checkCode, type CheckSpec } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import type { Database } from '../../../platform/db/database.js';
import { ownerOf, type Ownership } from '../members/decide-owner.js';
import type { MonitorChecks, MonitorCheckSource } from './monitor-checks.js';

const BATCH_MONITORS = 500;
/** A walk can be joined for this time after its first batch was read, ms. */
const JOIN_MS = 500;

/** A bounded part of all monitors. */
interface Batch {
  /** The checks of a region by owner, computed once for all agents with the same ownership. */
  checksByOwner(region: Region, ownership: Ownership): ReadonlyMap<string, readonly CheckSpec[]>;
  /** The revision from which changes are read after the walk; the same in all batches of a walk. */
  readonly horizon: number;
  /** When the batch was read, by the monotonic clock. */
  readonly readAt: number;
  next(): Promise<Batch | null>;
}

/**
 * Walks over all monitors in batches. Agents of any region that begin at the same time share one walk, so that a thousand
 * returning agents cost one walk. Each agent proceeds at its own pace. A batch is freed when all agents have passed it.
 */
export class MonitorWalks {
  private newest: { beganAt: number; first: Promise<Batch> } | undefined;

  constructor(private readonly options: { db: Database; checks: MonitorCheckSource }) {}

  /**
   * Every check that an agent owns.
   * @param notBefore by the monotonic clock: the walk contains everything that was committed until then
   * @param onBatch called with each batch before its checks; the walk may lack changes from its horizon on
   */
  async *ownedChecks(
    agent: { readonly agentId: string; readonly region: Region; readonly isOver: boolean },
    ownership: Ownership,
    notBefore: number,
    onBatch?: (batch: { horizon: number; readAt: number }) => void,
  ): AsyncGenerator<CheckSpec> {
    let batch: Batch | null = await this.begin(notBefore);
    while (batch) {
      onBatch?.(batch);
      if (agent.isOver) throw new Error('the session is over');
      yield* batch.checksByOwner(agent.region, ownership).get(agent.agentId) ?? [];
      batch = await batch.next();
    }
  }

  private begin(notBefore: number): Promise<Batch> {
    if (this.newest && this.newest.beganAt >= notBefore) return this.newest.first;
    const walk = { beganAt: performance.now(), first: this.read(0, null) };
    this.newest = walk;
    const forget = () => {
      if (this.newest === walk) this.newest = undefined;
    };
    walk.first.then(() => setTimeout(forget, JOIN_MS).unref(), forget);
    return walk.first;
  }

  private async read(afterKey: number, walkHorizon: number | null): Promise<Batch> {
    const { db, checks } = this.options;
    const answer = await db.read((tx) => checks.all(tx, { afterKey, limit: BATCH_MONITORS }));
    const readAt = performance.now();
    const horizon = walkHorizon ?? answer.horizon;
    const { monitors, nextAfterKey } = answer;
    const byOwnership = new Map<Ownership, ReadonlyMap<string, readonly CheckSpec[]>>();
    let next: Promise<Batch | null> | undefined;
    return {
      horizon,
      readAt,
      checksByOwner(region, ownership) {
        const known = byOwnership.get(ownership) ?? checksByOwner(monitors, region, ownership);
        byOwnership.set(ownership, known);
        return known;
      },
      next: () => (next ??= nextAfterKey === null ? Promise.resolve(null) : this.read(nextAfterKey, horizon)),
    };
  }
}

function checksByOwner(
  monitors: readonly MonitorChecks[],
  region: Region,
  { owners }: Ownership,
): ReadonlyMap<string, readonly CheckSpec[]> {
  const byOwner = new Map<string, CheckSpec[]>();
  for (const monitor of monitors) {
    for (const check of monitor.regions.find((own) => own.region === region)?.checks ?? []) {
      const owner = ownerOf(owners, checkCode(check.key));
      if (owner === undefined) continue;
      const owned = byOwner.get(owner);
      if (owned) owned.push(check);
      else byOwner.set(owner, [check]);
    }
  }
  return byOwner;
}
