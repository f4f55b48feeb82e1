import { IndependentCount, type Keyed } from './independent-count.js';
import { OwnerShare } from './owner-share.js';

/** What a region recently observed of one owner's monitors of one site. */
export interface SiteObservation {
  /** The user who owns the workspaces of these monitors. */
  owner: string;
  /** The registrable domain, or the address where the URL names one. */
  site: string;
  /** Of the failing checks, a /24 or a /48; null where the name did not resolve. */
  network: string | null;
  /** When the first of its failing checks began to fail; null where none began to fail recently. ms since the epoch. */
  failingSinceMs: number | null;
  /** Scheduled time of the newest check that reached it: a success, or an answer that nothing on the way can forge. */
  reachedMs: number | null;
  /** Scheduled time of the newest check that did not reach it, for any reason. */
  notReachedMs: number | null;
  /**
   * What other regions and second opinions have observed of the failing monitors since. `pending`: their checks are
   * outstanding; null: nothing else checks them.
   */
  elsewhere: 'up' | 'down' | 'pending' | null;
}

/** Failures that are probably the region's own. Counts are of sites that share neither owner nor domain nor network. */
export interface CorrelatedFailures {
  /** From when on failures do not count. */
  onsetMs: number;
  failingSites: number;
  upElsewhere: number;
  downElsewhere: number;
  pendingElsewhere: number;
  /** Of the sites checked since, with the same weight for every owner. */
  failingShare: number;
}

/** How far back results are considered: twice the default interval. */
export const SUSPECT_WINDOW_MS = 600_000;

/** Other regions contradict: enough of the sites that fail here are up elsewhere, and hardly any are down. */
const CONTRADICTED = { up: 5, share: 0.5, portion: 0.1, upShare: 0.8 };
/** Hardly any other region checks the sites: only failures that are implausible for unrelated sites count. */
const IMPLAUSIBLE = { failing: 8, share: 0.8, portion: 0.2, otherShare: 0.2 };

/** With fewer owners a region never becomes suspect: its failures count at once. */
export const FEWEST_OWNERS = CONTRADICTED.up;

/** A region is calm while it reaches this share of the checked sites … */
const CALM_SHARE = 0.7;
/** … within this time … */
const CALM_WINDOW_MS = 180_000;
/** … and its suspect period ends when it has been calm for this long. */
export const CALM_MS = 60_000;

type KeyedObservation = SiteObservation & Keyed;

/**
 * Whether a region's failures are its own. Looks back for moments since which too many unrelated sites began to fail and
 * too few were reached; the earliest such moment is the onset. A share relates to the sites checked since that moment, a
 * portion to all sites that the region checked recently: a burst of a few monitors must not represent the whole region.
 * In both, every owner has the same weight.
 */
export function decideCorrelatedFailures(sites: readonly SiteObservation[], nowMs: number): CorrelatedFailures | null {
  const checked = sites.filter(
    ({ failingSinceMs, reachedMs }) => within(failingSinceMs, nowMs) || within(reachedMs, nowMs),
  );
  if (isQuiet(checked, nowMs)) return null;
  const recent = checked
    .map((observed) => ({ ...observed, keys: keysOf(observed) }))
    // In a fixed order: it determines which of two sites with a common key is counted.
    .sort((a, b) => compare(a.owner, b.owner) || compare(a.site, b.site));
  const moments = recent
    .flatMap((observed) => [
      { atMs: observed.reachedMs, observed, isReached: true },
      { atMs: observed.failingSinceMs, observed, isReached: false },
    ])
    .filter((moment): moment is typeof moment & { atMs: number } => within(moment.atMs, nowMs))
    // Backwards in time; at the same moment successes come first, so that they count against the failures.
    .sort((a, b) => b.atMs - a.atMs || Number(b.isReached) - Number(a.isReached));
  const tally = new Tally(recent);
  let found: CorrelatedFailures | null = null;
  for (const { atMs, observed, isReached } of moments) {
    if (isReached) tally.reach(observed);
    else if (tally.fail(observed)) found = tally.correlatedAt(atMs) ?? found;
  }
  return found;
}

/** Whether too little fails for any moment to be suspect: nearly always true, and cheaper than examining the moments. */
function isQuiet(sites: readonly SiteObservation[], nowMs: number): boolean {
  const portion = new OwnerShare();
  for (const { owner, failingSinceMs } of sites) portion.add(owner, Number(within(failingSinceMs, nowMs)), 1);
  return portion.value < CONTRADICTED.portion;
}

/** What failed and what was reached since a moment that moves backwards. */
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

  reach(observed: KeyedObservation): void {
    this.reached.add(observed);
    if (!this.failed.delete(observed)) return this.share.add(observed.owner, 0, 1);
    this.share.add(observed.owner, -1, 0);
    this.portion.add(observed.owner, -1, 0);
    this.failing.delete(observed);
    // Sites that are down elsewhere stay counted: reaching a site earlier never makes a moment more suspect.
    if (observed.elsewhere === 'up') this.elsewhere.up.delete(observed);
  }

  /** @returns false where it was reached after it began to fail */
  fail(observed: KeyedObservation): boolean {
    if (this.reached.has(observed)) return false;
    this.failed.add(observed);
    this.share.add(observed.owner, 1, 1);
    this.portion.add(observed.owner, 1, 0);
    this.failing.add(observed);
    if (observed.elsewhere !== null) this.elsewhere[observed.elsewhere].add(observed);
    return true;
  }

  correlatedAt(onsetMs: number): CorrelatedFailures | null {
    if (this.failing.bound < FEWEST_OWNERS || this.share.value < CONTRADICTED.share) return null;
    const { up, down, pending } = this.elsewhere;
    const failures: CorrelatedFailures = {
      onsetMs,
      failingSites: this.failing.size,
      upElsewhere: up.size,
      downElsewhere: down.size,
      pendingElsewhere: pending.size,
      failingShare: this.share.value,
    };
    return isContradicted(failures, this.portion.value) || isImplausible(failures, this.portion.value)
      ? failures
      : null;
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

function isImplausible(failures: CorrelatedFailures, portion: number): boolean {
  const { failingSites, failingShare, downElsewhere, pendingElsewhere } = failures;
  return (
    failingSites >= IMPLAUSIBLE.failing &&
    failingShare >= IMPLAUSIBLE.share &&
    portion >= IMPLAUSIBLE.portion &&
    downElsewhere + pendingElsewhere <= failingSites * IMPLAUSIBLE.otherShare
  );
}

/** Whether a suspect region is calm: it reaches most of the sites that it checked recently and since the onset. */
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
