import type { Region } from '@watchpost/shared/region';

/** The results of a region during an incident; `last` may be from shortly before. */
export interface RegionChecks {
  up: number;
  down: number;
  inconclusive: number;
  /** The newest conclusive result, and until when it is fresh. */
  last: { atMs: number; isUp: boolean; freshUntilMs: number } | null;
}

export interface RegionVerdict {
  region: Region;
  verdict: 'failing' | 'fine' | 'unknown';
  /** The reason as a sentence; null where the verdict needs none. */
  note: string | null;
  /**
   * Of a region that failed in an incident that is over: when it worked again, ms since the epoch. null where that was not
   * seen before the end, and for all other verdicts.
   */
  untilMs: number | null;
  /** Time of the newest conclusive result, ms since the epoch. */
  lastMs: number | null;
}

export interface RegionsOfIncident {
  /** All regions that check the monitor or did during the incident. */
  regions: readonly Region[];
  /** The regions that fail now, or failed when the incident ended. */
  failing: readonly Region[];
  /** The regions that failed at any time during the incident. */
  everFailed: readonly Region[];
  /** When regions recovered that did not fail again, ms since the epoch. */
  recoveredMs: ReadonlyMap<Region, number>;
  checks: ReadonlyMap<Region, RegionChecks>;
  /** Checks are counted from here, ms since the epoch. */
  fromMs: number;
  isOver: boolean;
  /** True where its reason is found in checks that succeed: their outcomes are no note on it. */
  isOfSuccesses: boolean;
  nowMs: number;
}

/** The verdict of each region: of now while the incident is open, of its whole time when it is over. A region without a conclusive result is unknown, never fine. */
export function decideRegionVerdicts(incident: RegionsOfIncident): RegionVerdict[] {
  return incident.regions.map((region) => {
    const checks = incident.checks.get(region);
    const judged = incident.isOver ? pastVerdict(region, incident, checks) : presentVerdict(region, incident, checks);
    const untilMs = incident.isOver && judged.verdict === 'failing' ? (incident.recoveredMs.get(region) ?? null) : null;
    return { region, ...judged, untilMs, lastMs: checks?.last?.atMs ?? null };
  });
}

type Judged = Pick<RegionVerdict, 'verdict' | 'note'>;

function pastVerdict(
  region: Region,
  { everFailed, fromMs, isOfSuccesses }: RegionsOfIncident,
  checks: RegionChecks | undefined,
): Judged {
  const counted =
    checks && checks.up + checks.down > 0 && !isOfSuccesses
      ? `${checks.down} of ${checks.up + checks.down} checks failed.`
      : null;
  if (everFailed.includes(region)) return { verdict: 'failing', note: counted };
  if (!checks || checks.up + checks.down === 0) {
    const isCovered = checks?.last?.isUp === true && checks.last.freshUntilMs > fromMs;
    return isCovered
      ? { verdict: 'fine', note: 'Its last check before the incident was fine.' }
      : unknownVerdict(checks);
  }
  return { verdict: checks.up > 0 ? 'fine' : 'failing', note: checks.down > 0 ? counted : null };
}

function presentVerdict(
  region: Region,
  { failing, everFailed, isOfSuccesses, nowMs }: RegionsOfIncident,
  checks: RegionChecks | undefined,
): Judged {
  const last = checks?.last ?? null;
  const isFailing = failing.includes(region);
  if (last && last.freshUntilMs <= nowMs)
    return {
      verdict: 'unknown',
      note: isFailing ? 'It failed, and has not reported since.' : 'It has not reported since.',
    };
  if (isFailing)
    return {
      verdict: 'failing',
      note: last?.isUp && !isOfSuccesses ? 'Its newest check was fine; recovery needs more.' : null,
    };
  if (!last) return unknownVerdict(checks);
  if (!last.isUp) return { verdict: 'failing', note: 'Its newest check failed; an incident needs more.' };
  return { verdict: 'fine', note: everFailed.includes(region) ? 'It failed before.' : null };
}

function unknownVerdict(checks: RegionChecks | undefined): Judged {
  return {
    verdict: 'unknown',
    note: checks && checks.inconclusive > 0 ? 'The agent there could not check.' : 'It was not checked from there.',
  };
}
