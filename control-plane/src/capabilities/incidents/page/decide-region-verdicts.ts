import type { Region } from '@watchpost/shared/region';

/** What the checks of a region said while an incident went on; `last` may be of just before. */
export interface RegionChecks {
  up: number;
  down: number;
  /** Nobody could tell: the agent was at fault. */
  blind: number;
  /** The newest that said anything about the target, and until when it speaks for the region. */
  last: { atMs: number; isUp: boolean; freshUntilMs: number } | null;
}

export interface RegionVerdict {
  region: Region;
  verdict: 'failing' | 'fine' | 'unknown';
  /** Why it is so, as a sentence; null where the verdict says it all. */
  note: string | null;
  /** When it was last looked at from there with any result, ms since the epoch. */
  lastMs: number | null;
}

export interface RegionsOfIncident {
  /** All that look, or did. */
  regions: readonly Region[];
  /** Those that fail, or failed when it ended. */
  failing: readonly Region[];
  /** Those that failed at any time in it. */
  everFailed: readonly Region[];
  checks: ReadonlyMap<Region, RegionChecks>;
  /** Since when checks are counted, ms since the epoch: when it began, mostly. */
  fromMs: number;
  isOver: boolean;
  nowMs: number;
}

/**
 * What each region says of an incident: now, while it goes on, or what it said while it did. What nobody looked at is
 * never called fine.
 */
export function decideRegionVerdicts(incident: RegionsOfIncident): RegionVerdict[] {
  return incident.regions.map((region) => {
    const checks = incident.checks.get(region);
    const said = incident.isOver ? sayPast(region, incident, checks) : sayNow(region, incident, checks);
    return { region, ...said, lastMs: checks?.last?.atMs ?? null };
  });
}

type Said = Pick<RegionVerdict, 'verdict' | 'note'>;

function sayPast(region: Region, { everFailed, fromMs }: RegionsOfIncident, checks: RegionChecks | undefined): Said {
  const counted =
    checks && checks.up + checks.down > 0 ? `${checks.down} of ${checks.up + checks.down} checks failed.` : null;
  if (everFailed.includes(region)) return { verdict: 'failing', note: counted };
  if (!checks || checks.up + checks.down === 0) {
    const isCovered = checks?.last?.isUp === true && checks.last.freshUntilMs > fromMs;
    return isCovered ? { verdict: 'fine', note: 'By its check just before.' } : nobodyCouldTell(checks);
  }
  return { verdict: checks.up > 0 ? 'fine' : 'failing', note: checks.down > 0 ? counted : null };
}

function sayNow(
  region: Region,
  { failing, everFailed, nowMs }: RegionsOfIncident,
  checks: RegionChecks | undefined,
): Said {
  const last = checks?.last ?? null;
  const isFailing = failing.includes(region);
  if (last && last.freshUntilMs <= nowMs)
    return {
      verdict: 'unknown',
      note: isFailing ? 'It failed, and has said nothing since.' : 'It has said nothing since.',
    };
  if (isFailing) return { verdict: 'failing', note: last?.isUp ? 'Its newest check was fine: not enough yet.' : null };
  if (!last) return nobodyCouldTell(checks);
  if (!last.isUp) return { verdict: 'failing', note: 'Its newest check failed: not enough yet to count.' };
  return { verdict: 'fine', note: everFailed.includes(region) ? 'It failed before.' : null };
}

function nobodyCouldTell(checks: RegionChecks | undefined): Said {
  return {
    verdict: 'unknown',
    note: checks && checks.blind > 0 ? 'The agent there was at fault.' : 'No check from there.',
  };
}
