import type { Logger } from 'pino';
import {
  checkKindsOf,
  schedulePhaseMs,
  type CheckKind,
  type CheckSpec,
  type ProbeTarget,
} from '@watchpost/shared/check';
import { HOME_REGION, type Place, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import { entitlementsOf } from '../../plans/index.js';
import { checkSourceStore, type CheckSourceRow } from './check-source-store.js';
import { decideCoverage } from './decide-coverage.js';
import { checkTarget } from './check-target.js';
import { openSecrets } from '../settings/monitor-secrets.js';
import { tenancyOf } from './tenancy-keys.js';

/** The checks of one monitor; without regions where it is disabled or deleted. */
export interface MonitorChecks {
  monitorKey: number;
  revision: number;
  regions: { region: Region; checks: CheckSpec[] }[];
}

export interface MonitorChecksDeps {
  secretBox: SecretBox;
  logger: Logger;
}

/** A monitor that was read, with its checks in one region: making them takes longer than reading them. */
export interface RegionMonitor {
  monitorKey: number;
  makeChecks(): readonly CheckSpec[];
}

/** The source of all assignments: what the fleet reads of monitors, of all workspaces. */
export function monitorCheckSource(deps: MonitorChecksDeps) {
  return {
    /** The current checks of one monitor. */
    async of(tx: Tx, monitorKey: number): Promise<MonitorChecks> {
      const row = await checkSourceStore.find(tx, monitorKey);
      return row ? checksOf(deps, row) : { monitorKey, revision: 0, regions: [] };
    },

    /**
     * The enabled monitors of these ownership shards with their checks in one region. Callers then read changes from the
     * `horizon` of the first call on, so that changes between calls come again and none is missed.
     */
    async inShards(
      tx: Tx,
      region: Place,
      shards: readonly number[],
    ): Promise<{ monitors: RegionMonitor[]; horizon: number }> {
      const { rows, horizon } = await checkSourceStore.inShards(tx, region, shards);
      const monitors = rows.map((row) => ({
        monitorKey: row.key,
        makeChecks: () => checksOf(deps, row, region).regions[0]?.checks ?? [],
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

/** @param only makes the checks of this region alone */
function checksOf(deps: MonitorChecksDeps, row: CheckSourceRow, only?: Place): MonitorChecks {
  const { key: monitorKey, revision, plan, ownerId } = row;
  if (!row.isRun || plan === null || ownerId === null) return { monitorKey, revision, regions: [] };
  const coverage = decideCoverage(row, entitlementsOf(plan, row.planLimits ?? {}));
  const covered: Region[] = [HOME_REGION, ...coverage.extraRegions];
  const wanted = only === undefined ? covered : covered.filter((region) => region === only);
  if (wanted.length === 0) return { monitorKey, revision, regions: [] };
  const targets = checkKindsOf(coverage.monitorTypes).flatMap((kind) => targetOf(deps, row, kind) ?? []);
  if (targets.length === 0) return { monitorKey, revision, regions: [] };
  const tenancies = new Map(targets.map((target) => [target, tenancyOf(ownerId, target)]));
  const specOf = (target: ProbeTarget, region: Region): CheckSpec => {
    const key = { monitorKey, kind: target.kind };
    return {
      key,
      intervalMs: row.checkIntervalMs,
      timeoutMs: coverage.checkTimeoutMs,
      phaseMs: schedulePhaseMs(key, region, row.checkIntervalMs),
      changedAtMs: row.checksChanged.getTime(),
      ...tenancies.get(target),
      target,
    };
  };
  const regions = wanted.map((region) => ({
    region,
    checks: targets.map((target) => specOf(target, region)),
  }));
  return { monitorKey, revision, regions };
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
