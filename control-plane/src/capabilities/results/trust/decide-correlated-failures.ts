import { IndependentCount, type Keyed } from './independent-count.js';
import { OwnerShare } from './owner-share.js';

/** What a region lately saw of one owner's monitors of one site. */
export interface SiteObservation {
  /** The user who owns the workspaces of these monitors. */
  owner: string;
  /** The registrable domain, or the address where the URL names one. */
  site: string;
  /** Of the failing checks, a /24 or a /48; null where the name did not resolve. */
  network: string | null;
  /** When its failing checks began to fail, the first of them; null where none newly fails. ms since the epoch. */
  failingSinceMs: number | null;
  /** When the newest check that reached it was due: a success, or an answer that nobody on the way can forge. */
  reachedMs: number | null;
  /** When the newest check that did not reach it was due, whatever the reason. */
  notReachedMs: number | null;
  /**
   * What others saw of the failing monitors since: other regions, and second opinions. `pending`: they are to
   * look, and did not yet; null where nobody else looks.
   */
  elsewhere: 'up' | 'down' | 'pending' | null;
}

/** Counts are of sites that share neither owner nor domain nor network. */
export interface CorrelatedFailures {
  /** From when on failures say nothing about their targets. */
  onsetMs: number;
  failingSites: number;
  upElsewhere: number;
  downElsewhere: number;
  pendingElsewhere: number;
  /** Of the sites checked since, every owner weighing the same. */
  failingShare: number;
}

/** Results of so long are looked at: twice the default interval. */
export const SUSPECT_WINDOW_MS = 600_000;

/** Others see the sites: at least so many of those that fail here are up elsewhere, and hardly any down. */
const CONTRADICTED = { up: 5, share: 0.5, portion: 0.1, upShare: 0.8 };
/** Hardly anybody else looks: then only what is not credible for sites that have nothing to do with each other. */
const IMPLAUSIBLE = { failing: 8, share: 0.8, portion: 0.2, otherShare: 0.2 };

/** With fewer owners a region's failures never make it suspect: they are believed at once. */
export const FEWEST_OWNERS = CONTRADICTED.up;

/** Of what was checked since it looks as if it were over, this share must be reached … */
const CALM_SHARE = 0.7;
/** … within this long … */
const CALM_WINDOW_MS = 180_000;
/** … and so it must stay for so long. */
export const CALM_MS = 60_000;

type KeyedObservation = SiteObservation & Keyed;

/**
 * Whether a region's failures are its own: it looks back for a moment since which too many sites that have
 * nothing to do with each other began to fail, and too few were reached. The earliest such moment is the onset.
 * A share is of the sites checked since that moment, a portion of all that the region lately checked: a burst of
 * a few monitors must not pass for the whole region. In both every owner weighs the same.
 */
export function decideCorrelatedFailures(sites: readonly SiteObservation[], nowMs: number): CorrelatedFailures | null {
  const seen = sites.filter(
    ({ failingSinceMs, reachedMs }) => within(failingSinceMs, nowMs) || within(reachedMs, nowMs),
  );
  if (isQuiet(seen, nowMs)) return null;
  const recent = seen
    .map((sight) => ({ ...sight, keys: keysOf(sight) }))
    // In one order, whatever order they come in: which of two that share a key is counted depends on it.
    .sort((a, b) => compare(a.owner, b.owner) || compare(a.site, b.site));
  const moments = recent
    .flatMap((sight) => [
      { atMs: sight.reachedMs, sight, isReached: true },
      { atMs: sight.failingSinceMs, sight, isReached: false },
    ])
    .filter((moment): moment is typeof moment & { atMs: number } => within(moment.atMs, nowMs))
    // Backwards in time; of one moment successes come first, so that they count against the failures.
    .sort((a, b) => b.atMs - a.atMs || Number(b.isReached) - Number(a.isReached));
  const tally = new Tally(recent);
  let found: CorrelatedFailures | null = null;
  for (const { atMs, sight, isReached } of moments) {
    if (isReached) tally.reach(sight);
    else if (tally.fail(sight)) found = tally.correlatedAt(atMs) ?? found;
  }
  return found;
}

/** Whether too little fails for any moment to be suspect: nearly always, and cheaper to see than the moments. */
function isQuiet(sites: readonly SiteObservation[], nowMs: number): boolean {
  const portion = new OwnerShare();
  for (const { owner, failingSinceMs } of sites) portion.add(owner, Number(within(failingSinceMs, nowMs)), 1);
  return portion.value < CONTRADICTED.portion;
}

/** What failed and what was reached since a moment that moves back. */
class Tally {
  private readonly failing = new IndependentCount<KeyedObservation>();
  private readonly elsewhere = {
    up: new IndependentCount<KeyedObservation>(),
    down: new IndependentCount<KeyedObservation>(),
    pending: new IndependentCount<KeyedObservation>(),
  };
  /** Of the sites checked since. */
  private readonly share = new OwnerShare();
  /** Of all sites. */
  private readonly portion = new OwnerShare();
  private readonly reached = new Set<KeyedObservation>();
  private readonly failed = new Set<KeyedObservation>();

  constructor(all: readonly KeyedObservation[]) {
    for (const { owner } of all) this.portion.add(owner, 0, 1);
  }

  reach(sight: KeyedObservation): void {
    this.reached.add(sight);
    if (!this.failed.delete(sight)) return this.share.add(sight.owner, 0, 1);
    this.share.add(sight.owner, -1, 0);
    this.portion.add(sight.owner, -1, 0);
    this.failing.delete(sight);
    // What speaks for an outage goes on to: a moment further back is never more suspect for what was reached then.
    if (sight.elsewhere === 'up') this.elsewhere.up.delete(sight);
  }

  /** @returns false where it was reached after it began to fail */
  fail(sight: KeyedObservation): boolean {
    if (this.reached.has(sight)) return false;
    this.failed.add(sight);
    this.share.add(sight.owner, 1, 1);
    this.portion.add(sight.owner, 1, 0);
    this.failing.add(sight);
    if (sight.elsewhere !== null) this.elsewhere[sight.elsewhere].add(sight);
    return true;
  }

  correlatedAt(onsetMs: number): CorrelatedFailures | null {
    if (this.failing.bound < FEWEST_OWNERS || this.share.value < CONTRADICTED.share) return null;
    const { up, down, pending } = this.elsewhere;
    const seen: CorrelatedFailures = {
      onsetMs,
      failingSites: this.failing.size,
      upElsewhere: up.size,
      downElsewhere: down.size,
      pendingElsewhere: pending.size,
      failingShare: this.share.value,
    };
    return isContradicted(seen, this.portion.value) || isImplausible(seen, this.portion.value) ? seen : null;
  }
}

function isContradicted({ failingShare, upElsewhere, downElsewhere }: CorrelatedFailures, portion: number): boolean {
  return (
    failingShare >= CONTRADICTED.share &&
    portion >= CONTRADICTED.portion &&
    upElsewhere >= CONTRADICTED.up &&
    upElsewhere >= (upElsewhere + downElsewhere) * CONTRADICTED.upShare
  );
}

function isImplausible(seen: CorrelatedFailures, portion: number): boolean {
  const { failingSites, failingShare, downElsewhere, pendingElsewhere } = seen;
  return (
    failingSites >= IMPLAUSIBLE.failing &&
    failingShare >= IMPLAUSIBLE.share &&
    portion >= IMPLAUSIBLE.portion &&
    downElsewhere + pendingElsewhere <= failingSites * IMPLAUSIBLE.otherShare
  );
}

/** Whether a suspect region looks well again: it reaches most sites that it checked since the onset, and lately. */
export function decideCalm(sites: readonly SiteObservation[], onsetMs: number, nowMs: number): boolean {
  const fromMs = Math.max(onsetMs, nowMs - CALM_WINDOW_MS);
  const share = new OwnerShare();
  for (const { owner, reachedMs, notReachedMs } of sites) {
    if (reachedMs !== null && reachedMs >= fromMs) share.add(owner, 1, 1);
    else if (notReachedMs !== null && notReachedMs >= fromMs) share.add(owner, 0, 1);
  }
  return share.value >= CALM_SHARE;
}

function keysOf({ owner, site, network }: SiteObservation): string[] {
  const keys = [`owner ${owner}`, `site ${site}`];
  return network === null ? keys : [...keys, `network ${network}`];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function within(atMs: number | null, nowMs: number): boolean {
  return atMs !== null && atMs > nowMs - SUSPECT_WINDOW_MS;
}
