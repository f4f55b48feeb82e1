import type { Logger } from 'pino';
import {
  checkKindsOf,
  schedulePhaseMs,
  type CheckKind,
  type CheckSpec,
  type ProbeTarget,
} from '@watchpost/shared/check';
import type { Place, Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import { entitlementsOf } from '../../plans/index.js';
import { checkSourceStore, type CheckSourceRow } from './check-source-store.js';
import { decideCoverage, placesOf } from './decide-coverage.js';
import { checkTarget } from './check-target.js';
import { openSecrets } from '../settings/monitor-secrets.js';
import { tenancyOf } from './tenancy-keys.js';

/** The checks of one monitor; without places where it is disabled or deleted. */
export interface MonitorChecks {
  monitorKey: number;
  revision: number;
  places: PlaceChecks[];
}

interface PlaceChecks {
  /** As the fleet names the place. */
  place: Place;
  /** As results name it. */
  region: Region;
  checks: CheckSpec[];
}

export interface MonitorChecksDeps {
  secretBox: SecretBox;
  logger: Logger;
}

/** A monitor that was read, with its checks in one place: making them takes longer than reading them. */
interface RegionMonitor {
  monitorKey: number;
  makeChecks(): readonly CheckSpec[];
}

/** The source of all assignments: what the fleet reads of monitors, of all workspaces. */
export function monitorCheckSource(deps: MonitorChecksDeps) {
  return {
    async of(tx: Tx, monitorKey: number): Promise<MonitorChecks> {
      const row = await checkSourceStore.find(tx, monitorKey);
      return row ? checksOf(deps, row) : { monitorKey, revision: 0, places: [] };
    },

    /**
     * The enabled monitors of these ownership shards with their checks in one place. Callers then read changes from the
     * `horizon` of the first call on, so that changes between calls come again and none is missed.
     */
    async inShards(
      tx: Tx,
      place: Place,
      shards: readonly number[],
    ): Promise<{ monitors: RegionMonitor[]; horizon: number }> {
      const { rows, horizon } = await checkSourceStore.inShards(tx, place, shards);
      const monitors = rows.map((row) => ({
        monitorKey: row.key,
        makeChecks: () => checksOf(deps, row, place).places[0]?.checks ?? [],
      }));
      return { monitors, horizon };
    },

    /** The keys of all monitors in these ownership shards, those that are paused or deleted included. */
    keysInShards: (tx: Tx, shards: readonly number[]): Promise<number[]> => checkSourceStore.keysInShards(tx, shards),

    /**
     * The changes since a horizon, tombstones included; the next call starts from the new horizon. A change may be returned
     * twice but is never lost, in any order of commits. With `limit` monitors or more there may be more changes; all
     * changes of the last transaction are always included. A horizon below `since` means that `since` belongs to another
     * database: this one was restored from a copy. `purged` is the newest revision of a monitor that was deleted so long ago
     * that it is in no answer any more; 0: there is none.
     */
    async changed(
      tx: Tx,
      since: number,
      limit: number,
    ): Promise<{ monitors: MonitorChecks[]; horizon: number; purged: number }> {
      const first = await checkSourceStore.changed(tx, since, limit);
      let { rows, horizon } = first;
      if (rows.length >= limit) {
        horizon = Math.min(first.horizon, rows.at(-1)!.revision + 1);
        // A long transaction keeps the horizon back; with a fixed limit, later changes would never be returned.
        if (horizon <= since) ({ rows } = await checkSourceStore.changed(tx, since, null));
      }
      return { monitors: rows.map((row) => checksOf(deps, row)), horizon, purged: first.purged };
    },
  };
}
export type MonitorCheckSource = ReturnType<typeof monitorCheckSource>;

/** @param only makes the checks of this place alone */
function checksOf(deps: MonitorChecksDeps, row: CheckSourceRow, only?: Place): MonitorChecks {
  const { key: monitorKey, revision, plan, ownerId } = row;
  if (!row.isRun || plan === null || ownerId === null) return { monitorKey, revision, places: [] };
  const coverage = decideCoverage(row, entitlementsOf(plan, row.planLimits ?? {}));
  const covered = placesOf(row.homeRegion, coverage.extraRegions, row.locations);
  const wanted = only === undefined ? covered : covered.filter(({ place }) => place === only);
  if (wanted.length === 0) return { monitorKey, revision, places: [] };
  const targets = checkKindsOf(coverage.monitorTypes).flatMap((kind) => targetOf(deps, row, kind) ?? []);
  if (targets.length === 0) return { monitorKey, revision, places: [] };
  const tenancies = new Map(targets.map((target) => [target, tenancyOf(ownerId, target)]));
  const specOf = (target: ProbeTarget, place: Place): CheckSpec => {
    const key = { monitorKey, kind: target.kind };
    return {
      key,
      intervalMs: row.checkIntervalMs,
      timeoutMs: coverage.checkTimeoutMs,
      phaseMs: schedulePhaseMs(key, place, row.checkIntervalMs),
      changedAtMs: row.checksChanged.getTime(),
      ...tenancies.get(target),
      target,
    };
  };
  const places = wanted.map(({ place, region }) => ({
    place,
    region,
    checks: targets.map((target) => specOf(target, place)),
  }));
  return { monitorKey, revision, places };
}

/** @returns null where the secrets cannot be decrypted, because a check without them would give a false result */
function targetOf(deps: MonitorChecksDeps, row: CheckSourceRow, kind: CheckKind): ProbeTarget | null {
  try {
    return checkTarget(kind, row.url, row.settings, () => openSecrets(deps.secretBox, row.id, row.sealedSecrets));
  } catch (error) {
    deps.logger.error({ err: error, monitorId: row.id }, 'a monitor is not checked: its secret headers do not open');
    return null;
  }
}
