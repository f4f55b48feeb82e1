import type { CheckKind, CheckSpec } from '@watchpost/shared/check';
import { Fault, invalidField } from '@watchpost/shared/fault';
import { onlyReads } from '@watchpost/shared/one-off-tests';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Place, Region } from '@watchpost/shared/region';
import type { Database } from '../../../platform/db/database.js';
import type { MonitorCheckSource } from '../../monitors/index.js';
import type { Fleet } from '../fleet.js';
import type { ConcurrentTests } from './concurrent-tests.js';

const MOST_REGIONS = 3;
/** A check that takes longer is reported as one that timed out: somebody waits. */
const TIMEOUT_MS = 6_000;
const TRANSIT_MS = 1_500;

export interface RecheckDeps {
  db: Database;
  fleet: Pick<Fleet, 'runNow'>;
  checks: Pick<MonitorCheckSource, 'of'>;
  tests: ConcurrentTests;
}

export interface Recheck {
  region: Region;
  result: CheckResult;
}

interface RecheckedMonitor {
  monitorKey: number;
  kind: CheckKind | null;
  failing: readonly Region[];
  only?: Region | null;
}

/**
 * Checks a monitor now, from up to three of its places, those that fail first. Each check counts as a one-off test.
 * @param only a single place of it; null: any
 * @returns those that were made; none are where no agent can run them
 * @throws Fault unavailable where it cannot be checked now, with the reason
 */
export async function recheckMonitor(
  { db, fleet, checks: source, tests }: RecheckDeps,
  ownerId: string,
  { monitorKey, kind, failing, only = null }: RecheckedMonitor,
): Promise<Recheck[]> {
  const checked = await db.read((tx) => source.of(tx, monitorKey));
  const places = checked.places
    .filter(({ region }) => only === null || region === only)
    .flatMap(({ place, region, checks }): { place: Place; region: Region; check: CheckSpec }[] => {
      const check = checks.find(({ key }) => key.kind === kind) ?? checks[0];
      return check ? [{ place, region, check }] : [];
    })
    .toSorted((a, b) => Number(failing.includes(b.region)) - Number(failing.includes(a.region)));
  if (only !== null && places.length === 0 && checked.places.length > 0)
    throw invalidField('region', 'must be a place from which the monitor is checked');
  if (places.length === 0) throw new Fault('unavailable', 'It is not checked now: it is paused, deleted or a job.');
  const { target } = places[0]!.check;
  if (target.kind === 'http' && !onlyReads([target, ...target.steps]))
    throw new Fault('unavailable', 'Its requests may change something, so they are sent on schedule only.');
  const made = await Promise.allSettled(
    choosePlaces(places, failing).map(({ place, region, check }) => {
      const timeoutMs = Math.min(check.timeoutMs, TIMEOUT_MS);
      const run = {
        region: place,
        check: { ...check, timeoutMs },
        timeoutMs: timeoutMs + TRANSIT_MS,
        purpose: 'test' as const,
      };
      return tests.run(ownerId, async () => ({ region, result: await fleet.runNow(run) }));
    }),
  );
  const rechecks = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = made.find((one) => one.status === 'rejected');
  if (rechecks.length === 0 && refused) throw refused.reason;
  return rechecks;
}

/** Two that fail and one that does not, where there are such: the difference shows where the fault is. */
function choosePlaces<One extends { region: Region }>(places: readonly One[], failing: readonly Region[]): One[] {
  const isFailing = ({ region }: One) => failing.includes(region);
  const [bad, good] = [places.filter(isFailing), places.filter((place) => !isFailing(place))];
  const worst = bad.slice(0, good.length === 0 ? MOST_REGIONS : MOST_REGIONS - 1);
  return [...worst, ...good].slice(0, MOST_REGIONS);
}
