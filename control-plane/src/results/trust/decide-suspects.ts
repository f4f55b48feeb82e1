/** What a region lately saw of one site: everything that is checked under one address or registered name. */
export interface SiteSight {
  site: string;
  /** When its failing checks began to fail, the first of them; null where none newly fails. ms since the epoch. */
  failingSinceMs: number | null;
  /** When the newest successful check of it was due; null where none was lately. */
  upMs: number | null;
  /** When the newest check that was not successful was due, whatever the reason. */
  notUpMs: number | null;
  /** Whose monitors newly fail there. */
  workspaces: readonly string[];
  /**
   * What others saw of the failing monitors since: other regions, and second opinions. `pending`: they are to
   * look, and did not yet; null where nobody else looks.
   */
  elsewhere: 'up' | 'down' | 'pending' | null;
}

export interface Suspicion {
  /** From when on failures say nothing about their targets. */
  onsetMs: number;
  failingSites: number;
  checkedSites: number;
  workspaces: number;
  upElsewhere: number;
  downElsewhere: number;
  pendingElsewhere: number;
}

/** Results of so long are looked at: twice the default interval. */
export const SUSPICION_WINDOW_MS = 600_000;

/** Others see the sites: so many must fail here, at least so many of them be up elsewhere, and hardly any down. */
const CONTRADICTED = { failing: 5, share: 0.5, portion: 0.1, up: 3, upShare: 0.8 };
/** Hardly anybody else looks: then only what is not credible for sites that have nothing to do with each other. */
const IMPLAUSIBLE = { failing: 8, workspaces: 4, share: 0.8, portion: 0.2, otherShare: 0.2 };

/** With fewer sites a region's failures never make it suspect: they are believed at once. */
export const FEWEST_SITES = CONTRADICTED.failing;

/** Of what was checked since it looks as if it were over, this share must be up … */
const CALM_SHARE = 0.7;
/** … within this long … */
const CALM_WINDOW_MS = 180_000;
/** … and so it must stay for so long. */
export const CALM_MS = 60_000;

/**
 * Whether a region's failures are its own: it looks back for a moment since which too many sites that have
 * nothing to do with each other began to fail, and too few were seen up. The earliest such moment is the onset.
 * A share is of the sites checked since that moment, a portion of all that the region lately checked: a burst of
 * a few monitors must not pass for the whole region.
 */
export function decideSuspicion(sites: readonly SiteSight[], nowMs: number): Suspicion | null {
  const recent = sites.filter(({ failingSinceMs, upMs }) => within(failingSinceMs, nowMs) || within(upMs, nowMs));
  const moments = recent
    .flatMap((sight) => [
      { atMs: sight.upMs, sight, isUp: true },
      { atMs: sight.failingSinceMs, sight, isUp: false },
    ])
    .filter((moment): moment is typeof moment & { atMs: number } => within(moment.atMs, nowMs))
    // Backwards in time; of one moment successes come first, so that they count against the failures.
    .sort((a, b) => b.atMs - a.atMs || Number(b.isUp) - Number(a.isUp));
  const up = new Set<SiteSight>();
  const failing = new Set<SiteSight>();
  const workspaces = new Map<string, number>();
  const elsewhere = { up: 0, down: 0, pending: 0 };
  const count = ({ workspaces: own, elsewhere: seen }: SiteSight, by: 1 | -1) => {
    for (const id of own) workspaces.set(id, (workspaces.get(id) ?? 0) + by);
    if (seen !== null) elsewhere[seen] += by;
  };
  let found: Suspicion | null = null;
  for (const { atMs, sight, isUp } of moments) {
    if (isUp) {
      up.add(sight);
      if (failing.delete(sight)) count(sight, -1);
    } else if (!up.has(sight)) {
      failing.add(sight);
      count(sight, 1);
      const suspicion = {
        onsetMs: atMs,
        failingSites: failing.size,
        checkedSites: failing.size + up.size,
        workspaces: [...workspaces.values()].filter((monitors) => monitors > 0).length,
        upElsewhere: elsewhere.up,
        downElsewhere: elsewhere.down,
        pendingElsewhere: elsewhere.pending,
      };
      if (isSuspect(suspicion, recent.length)) found = suspicion;
    }
  }
  return found;
}

function isSuspect(seen: Suspicion, sites: number): boolean {
  const { failingSites, checkedSites, workspaces, upElsewhere, downElsewhere, pendingElsewhere } = seen;
  const share = failingSites / checkedSites;
  const portion = failingSites / sites;
  const contradicted =
    failingSites >= CONTRADICTED.failing &&
    share >= CONTRADICTED.share &&
    portion >= CONTRADICTED.portion &&
    upElsewhere >= CONTRADICTED.up &&
    upElsewhere >= (upElsewhere + downElsewhere) * CONTRADICTED.upShare;
  const implausible =
    failingSites >= IMPLAUSIBLE.failing &&
    workspaces >= IMPLAUSIBLE.workspaces &&
    share >= IMPLAUSIBLE.share &&
    portion >= IMPLAUSIBLE.portion &&
    downElsewhere + pendingElsewhere <= failingSites * IMPLAUSIBLE.otherShare;
  return contradicted || implausible;
}

/** Whether a suspect region looks well again: most sites that it checked since the onset, and lately, are up. */
export function decideCalm(sites: readonly SiteSight[], onsetMs: number, nowMs: number): boolean {
  const fromMs = Math.max(onsetMs, nowMs - CALM_WINDOW_MS);
  const up = sites.filter(({ upMs }) => upMs !== null && upMs >= fromMs);
  const notUp = sites.filter(
    ({ upMs, notUpMs }) => notUpMs !== null && notUpMs >= fromMs && (upMs === null || upMs < fromMs),
  );
  return up.length > 0 && up.length >= (up.length + notUp.length) * CALM_SHARE;
}

function within(atMs: number | null, nowMs: number): boolean {
  return atMs !== null && atMs > nowMs - SUSPICION_WINDOW_MS;
}
