import { checkedFrom, isLocation, type Region, regionOfCode } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { coveredRegions } from '../../monitors/index.js';
import { entitlementsOf, type LimitOverrides, type PlanName } from '../../plans/index.js';
import type { VerdictSettings } from './decide-verdict.js';

export interface PlaceSettings {
  homeRegion: boolean;
  enabledRegions: Region[];
  /** Codes of private locations. */
  locations: number[];
  /** Those of the locations that vote; null: none. */
  voting: number[] | null;
  plan: PlanName;
  planLimits: LimitOverrides;
}

/**
 * The places that count for the verdict: regions that the plan does not cover are not run.
 * @param locations the codes of the locations of which `advisory` is made; default: those that check the monitor
 */
export function placesOf(
  row: PlaceSettings,
  locations: readonly number[] = row.locations,
): Required<Pick<VerdictSettings, 'regions' | 'advisory'>> {
  const extra = coveredRegions(row.enabledRegions, entitlementsOf(row.plan, row.planLimits));
  const regions = checkedFrom(row.homeRegion, extra, row.locations);
  const isAlone = regions.every(isLocation);
  const advisory = locations.filter((code) => !isAlone && !row.voting?.includes(code)).map(regionOfCode);
  return { regions, advisory: new Set(advisory) };
}

/**
 * The private locations among these that only advise, by monitor, as it is set now. One that was deleted, or does not check
 * the monitor any more, advises unless it votes.
 * @param seen the codes of private locations that have results, by monitor
 */
export async function readAdvisory(
  workspaceId: string,
  tx: Tx,
  seen: ReadonlyMap<number, readonly number[]>,
): Promise<Map<number, ReadonlySet<Region>>> {
  const rows = await tx.query<PlaceSettings & { monitorKey: number }>(
    `SELECT monitor_key AS "monitorKey", home_region AS "homeRegion", enabled_regions AS "enabledRegions",
       private_locations AS locations, plan, plan_limits AS "planLimits",
       ARRAY(SELECT code FROM private_location WHERE workspace_id = $1 AND reachability = 'voting') AS voting
     FROM verdict_subject JOIN workspace_plan USING (workspace_id) WHERE workspace_id = $1 AND monitor_key = ANY ($2)`,
    [workspaceId, [...seen.keys()]],
  );
  return new Map(rows.map((row) => [row.monitorKey, placesOf(row, seen.get(row.monitorKey)).advisory]));
}
