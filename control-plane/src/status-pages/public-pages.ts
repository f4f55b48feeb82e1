import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../db/database.js';
import { PageAvailabilities } from './page-availability.js';
import type { PublicPageView } from './public-page-schemas.js';
import { readPublicPage } from './read-public-page.js';

/** A page as it is sent: made once for all who ask, each form when somebody asks for it first. */
export interface SentPage {
  view: PublicPageView;
  form<T>(name: string, make: (view: PublicPageView) => T): T;
}

/** How long a page is sent again before it is looked at anew: results move it without anybody saying so. */
const KEPT_MS = 3_000;
const CAPACITY = 256;

interface KeptPage {
  untilMs: number;
  page: Promise<SentPage>;
}

/**
 * The pages that visitors see. However many ask at once, a page is put together once in a few seconds; what
 * its operators change on this process shows at once.
 */
export class PublicPages {
  readonly #kept = new BoundedCache<string, KeptPage>(CAPACITY);
  readonly #availabilities: PageAvailabilities;

  constructor(private readonly deps: { db: Database; clock: Clock }) {
    this.#availabilities = new PageAvailabilities(deps.db);
  }

  /** @throws Fault not_found */
  read(slug: string): Promise<SentPage> {
    const nowMs = this.deps.clock.now();
    const kept = this.#kept.get(slug);
    if (kept && kept.untilMs > nowMs) return kept.page;
    const made: KeptPage = { untilMs: nowMs + KEPT_MS, page: this.#make(slug) };
    this.#kept.set(slug, made);
    // What went wrong is not kept, nor are addresses that nobody has: they must not push pages out.
    made.page.catch(() => {
      if (this.#kept.get(slug) === made) this.#kept.delete(slug);
    });
    return made.page;
  }

  /** To be called when what the public sees at this address has changed. */
  forget(slug: string): void {
    this.#kept.delete(slug);
  }

  async #make(slug: string): Promise<SentPage> {
    const page = await readPublicPage({ ...this.deps, availabilities: this.#availabilities }, slug);
    const forms = new Map<string, unknown>();
    return {
      view: page,
      form<T>(name: string, make: (view: PublicPageView) => T): T {
        if (!forms.has(name)) forms.set(name, make(page));
        return forms.get(name) as T;
      },
    };
  }
}
