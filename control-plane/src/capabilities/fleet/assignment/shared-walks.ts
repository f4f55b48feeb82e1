import { checkCode, type CheckSpec } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import type { Database } from '../../../platform/db/database.js';
import { ownerOf } from '../members/decide-owner.js';
import type { MonitorChecks, MonitorCheckSource } from './monitor-checks.js';
import type { Ownership } from '../members/decide-owner.js';

const PAGE = 500;
/** Whoever begins so soon after another goes along with it, ms. */
const JOIN_MS = 500;

/** Some of all checks, and the way to the rest. */
interface Page {
  /** Those of a region by the agents that own them. Worked out once for all agents that share an ownership. */
  ownedBy(region: Region, ownership: Ownership): ReadonlyMap<string, readonly CheckSpec[]>;
  /** The revision to ask changes from afterwards: the same on all pages of a walk. */
  readonly horizon: number;
  /** When it was known, by the monotonic clock. */
  readonly readAt: number;
  next(): Promise<Page | null>;
}

/**
 * Walks over all checks, page by page. Agents that begin together share what is read and worked out, whatever their
 * regions: a thousand that come back at once cost one walk. Each goes at its own pace and holds the page that it is at,
 * so what all have passed is not kept.
 */
export class SharedWalks {
  private newest: { at: number; first: Promise<Page> } | undefined;

  constructor(private readonly options: { db: Database; checks: MonitorCheckSource }) {}

  /**
   * Every check that an agent owns.
   * @param notBefore by the monotonic clock: what was committed until then has to be in it
   * @param onPage told of each page before its checks: changes from its horizon on may not be in it
   */
  async *owned(
    agent: { readonly agentId: string; readonly region: Region; readonly isOver: boolean },
    ownership: Ownership,
    notBefore: number,
    onPage?: (page: { horizon: number; readAt: number }) => void,
  ): AsyncGenerator<CheckSpec> {
    let page: Page | null = await this.begin(notBefore);
    while (page) {
      onPage?.(page);
      if (agent.isOver) throw new Error('the session is over');
      yield* page.ownedBy(agent.region, ownership).get(agent.agentId) ?? [];
      page = await page.next();
    }
  }

  private begin(notBefore: number): Promise<Page> {
    if (this.newest && this.newest.at >= notBefore) return this.newest.first;
    const walk = { at: performance.now(), first: this.read(0, null) };
    this.newest = walk;
    const forget = () => {
      if (this.newest === walk) this.newest = undefined;
    };
    walk.first.then(() => setTimeout(forget, JOIN_MS).unref(), forget);
    return walk.first;
  }

  private async read(afterKey: number, horizon: number | null): Promise<Page> {
    const { db, checks } = this.options;
    const answer = await db.read((tx) => checks.all(tx, { afterKey, limit: PAGE }));
    const readAt = performance.now();
    const from = horizon ?? answer.horizon;
    const { monitors, nextAfterKey } = answer;
    const owned = new Map<Ownership, ReadonlyMap<string, readonly CheckSpec[]>>();
    let next: Promise<Page | null> | undefined;
    return {
      horizon: from,
      readAt,
      ownedBy(region, ownership) {
        const known = owned.get(ownership) ?? checksByOwner(monitors, region, ownership);
        owned.set(ownership, known);
        return known;
      },
      next: () => (next ??= nextAfterKey === null ? Promise.resolve(null) : this.read(nextAfterKey, from)),
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
