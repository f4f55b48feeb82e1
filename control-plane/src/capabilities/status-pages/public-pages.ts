import { setTimeout as sleep } from 'node:timers/promises';
import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../platform/db/database.js';
import { BuiltPage, type MakeForm } from './built-page.js';
import { MonitorHistories } from './monitor-histories.js';
import type { PackedText } from './pack-text.js';
import type { PageBuilds } from './page-builds.js';
import { findPublishedPage, readPublicPage } from './read-public-page.js';

/** For how long a page is sent again: results change it without an event. */
const KEPT_MS = 3_000;
/** At least for so long after it is complete, also where building it took longer than the above. */
const KEPT_COMPLETE_MS = 1_000;
/** A visitor waits for so long for the page as it is now, and then gets the former one. */
const PATIENCE_MS = 1_000;
/** A page older than this is not sent, however long the new one takes. */
const FORMER_MS = 30_000;
const PAGES_KEPT = 256;
const BYTES_KEPT = 64 * 1024 * 1024;

/**
 * The pages that visitors see. However many ask at once, a page is built once in a few seconds; a change by its
 * operators shows at once on the process that they used.
 */
export class PublicPages {
  readonly #kept = new BoundedCache<string, BuiltPage>(PAGES_KEPT);
  /** Addresses that no page has are never kept: they must not displace pages. */
  readonly #building = new Map<string, Promise<BuiltPage>>();
  readonly #histories = new MonitorHistories();

  constructor(private readonly deps: { db: Database; clock: Clock; builds: PageBuilds }) {}

  /**
   * A page in one of its forms, which is made when it is asked for first.
   * @throws Fault not_found, unavailable; and what `make` throws
   */
  async send(slug: string, form: string, make: MakeForm): Promise<PackedText> {
    const nowMs = this.deps.clock.now();
    const kept = this.#kept.get(slug);
    const isCurrent = kept !== undefined && kept.startedMs <= nowMs && nowMs < kept.untilMs;
    const page = isCurrent ? Promise.resolve(kept) : this.#build(slug);
    const fresh = page.then(async (built) => {
      const text = await built.form(form, make);
      this.#trim();
      return text;
    });
    const former = kept && kept.startedMs <= nowMs ? kept.ready(form, nowMs - FORMER_MS) : undefined;
    return former ? within(fresh, PATIENCE_MS, former) : fresh;
  }

  /** To be called when what the public sees at this address has changed. */
  forget(slug: string): void {
    this.#kept.delete(slug);
    this.#building.delete(slug);
  }

  #build(slug: string): Promise<BuiltPage> {
    const known = this.#building.get(slug);
    if (known) return known;
    const building = this.#make(slug);
    this.#building.set(slug, building);
    const isLatest = () => this.#building.get(slug) === building && this.#building.delete(slug);
    building.then((page) => isLatest() && this.#kept.set(slug, page), isLatest);
    return building;
  }

  async #make(slug: string): Promise<BuiltPage> {
    const { db, clock, builds } = this.deps;
    const page = await db.read((tx) => findPublishedPage(tx, slug));
    const { ownerId } = page;
    return builds.run(ownerId, async (work) => {
      const startedMs = clock.now();
      const view = await readPublicPage({ clock, histories: this.#histories, work }, page);
      const untilMs = Math.max(startedMs + KEPT_MS, clock.now() + KEPT_COMPLETE_MS);
      return new BuiltPage(view, { startedMs, untilMs }, (make) => builds.run(ownerId, make), this.#kept.get(slug));
    });
  }

  /** The largest pages go first, so that they displace no small ones. */
  #trim(): void {
    const pages = [...this.#kept.entries()];
    let bytes = pages.reduce((sum, [, page]) => sum + page.bytes, 0);
    for (const [slug, page] of pages.toSorted(([, a], [, b]) => b.bytes - a.bytes)) {
      if (bytes <= BYTES_KEPT) return;
      this.#kept.delete(slug);
      bytes -= page.bytes;
    }
  }
}

async function within<T>(promise: Promise<T>, ms: number, otherwise: T): Promise<T> {
  const timer = new AbortController();
  const late = sleep(ms, otherwise, { signal: timer.signal }).catch(() => otherwise);
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
    promise.catch(() => {});
  }
}
