import type { CheckSpec } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import type { Database } from '../db/database.js';
import { checkCode } from './check-code.js';
import { ownerOf } from './decide-owner.js';
import type { MonitorCheckSource } from './monitor-checks.js';
import type { Ownership } from './region-roster.js';

const PAGE = 500;
/** Whoever begins so soon after another goes along with it, ms. */
const JOIN_MS = 500;

/** Some of a region's checks, by the agents that own them, and the way to the rest. */
interface OwnedPage {
  readonly byOwner: ReadonlyMap<string, readonly CheckSpec[]>;
  /** The revision to ask changes from afterwards: the same on all pages of a walk. */
  readonly horizon: number;
  next(): Promise<OwnedPage | null>;
}

/**
 * Walks over all checks of a region, page by page. Agents that begin together share what is read and worked out: a
 * thousand that come back at once cost one walk. Each goes at its own pace and holds the page that it is at, so what all
 * have passed is not kept.
 */
export class SharedWalks {
  private readonly begun = new Map<Ownership, { at: number; first: Promise<OwnedPage> }>();

  constructor(private readonly options: { db: Database; checks: MonitorCheckSource }) {}

  /**
   * Every check that an agent owns.
   * @param notBefore by the monotonic clock: what was committed until then has to be in it
   * @param onHorizon told once, before the first check: changes from this revision on may not be in it
   */
  async *owned(
    agent: { readonly agentId: string; readonly region: Region; readonly isOver: boolean },
    ownership: Ownership,
    notBefore: number,
    onHorizon?: (horizon: number) => void,
  ): AsyncGenerator<CheckSpec> {
    let page: OwnedPage | null = await this.begin(agent.region, ownership, notBefore);
    onHorizon?.(page.horizon);
    while (page) {
      if (agent.isOver) throw new Error('the session is over');
      yield* page.byOwner.get(agent.agentId) ?? [];
      page = await page.next();
    }
  }

  private begin(region: Region, ownership: Ownership, notBefore: number): Promise<OwnedPage> {
    const known = this.begun.get(ownership);
    if (known && known.at >= notBefore) return known.first;
    const walk = { at: performance.now(), first: this.read(region, ownership, 0, null) };
    this.begun.set(ownership, walk);
    const forget = () => {
      if (this.begun.get(ownership) === walk) this.begun.delete(ownership);
    };
    walk.first.then(() => setTimeout(forget, JOIN_MS).unref(), forget);
    return walk.first;
  }

  private async read(
    region: Region,
    ownership: Ownership,
    afterKey: number,
    horizon: number | null,
  ): Promise<OwnedPage> {
    const { db, checks } = this.options;
    const answer = await db.read((tx) => checks.all(tx, { afterKey, limit: PAGE }));
    const byOwner = new Map<string, CheckSpec[]>();
    for (const monitor of answer.monitors) {
      for (const check of monitor.regions.find((own) => own.region === region)?.checks ?? []) {
        const owner = ownerOf(ownership.owners, checkCode(check.key));
        if (owner === undefined) continue;
        const owned = byOwner.get(owner);
        if (owned) owned.push(check);
        else byOwner.set(owner, [check]);
      }
    }
    const from = horizon ?? answer.horizon;
    const { nextAfterKey } = answer;
    let next: Promise<OwnedPage | null> | undefined;
    return {
      byOwner,
      horizon: from,
      next: () =>
        (next ??= nextAfterKey === null ? Promise.resolve(null) : this.read(region, ownership, nextAfterKey, from)),
    };
  }
}
