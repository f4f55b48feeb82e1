import { setTimeout as sleep } from 'node:timers/promises';
import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../platform/db/database.js';
import { toTheEnd } from '../../platform/db/request-context.js';
import { BuiltPage, type MakeForm } from './built-page.js';
import { MonitorHistories } from './monitor-histories.js';
import type { PackedText } from './pack-text.js';
import type { PageBuilds } from './page-builds.js';
import type { PublishedPage } from './public-page-store.js';
import { findPublishedPage, readPublicPage } from './read-public-page.js';

/** A built page is sent for this time. Results change pages without an event. */
const KEPT_MS = 3_000;
/** And at least for this time after its build ended, also where the build took longer. */
const KEPT_COMPLETE_MS = 1_000;
/** A visitor waits this long for the current page and then gets the former one. */
const PATIENCE_MS = 1_000;
/** An older page is never sent. */
const FORMER_MS = 30_000;
const PAGES_KEPT = 256;
const BYTES_KEPT = 64 * 1024 * 1024;

/**
 * The status pages that visitors see. A page is built at most once in a few seconds for any number of visitors. A change by
 * its workspace is visible at once in the process that handled it.
 */
export class PublicPages {
  readonly #kept = new BoundedCache<string, BuiltPage>(PAGES_KEPT);
  /** Unknown slugs are never cached, because they must not displace pages. */
  readonly #building = new Map<string, Promise<BuiltPage>>();
  readonly #histories: MonitorHistories;

  constructor(private readonly deps: { db: Database; clock: Clock; builds: PageBuilds; retentionDays: number }) {
    this.#histories = new MonitorHistories(deps.retentionDays);
  }

  /**
   * A page in one of its forms, which is made at the first request.
   * @throws Fault not_found, unavailable; and the errors of `make`
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

  /**
   * A page as it is saved, for its workspace. It is built for each request, in the queue of the visitors' builds.
   * @throws Fault unavailable
   */
  async preview(page: PublishedPage, make: MakeForm): Promise<PackedText> {
    const { clock, builds } = this.deps;
    return builds.run(page.ownerId, async (work) =>
      make(await readPublicPage({ clock, histories: this.#histories, work }, page), work),
    );
  }

  /** Called when the public content of this slug has changed. */
  forget(slug: string): void {
    this.#kept.delete(slug);
    this.#building.delete(slug);
  }

  #build(slug: string): Promise<BuiltPage> {
    const known = this.#building.get(slug);
    if (known) return known;
    const building = toTheEnd(() => this.#make(slug));
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

  /** The largest pages are evicted first, so that they do not displace small ones. */
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
