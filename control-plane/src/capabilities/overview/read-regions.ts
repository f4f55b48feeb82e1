import { REGIONS } from '@watchpost/shared/region';
import type { Actor } from '../../platform/identity/caller.js';
import { readRegionAgents } from '../fleet/index.js';
import { readRegionTrust } from '../verdicts/index.js';
import { readWorkspaceChecks } from '../figures/index.js';
import type { OverviewDeps } from './overview-deps.js';
import type { RegionView } from './overview-schemas.js';

/** All regions, with what the workspace has checked there. Four statements. */
export async function readRegions({ db, clock }: OverviewDeps, { workspace }: Actor): Promise<RegionView[]> {
  const nowMs = clock.now();
  return db.read(async (tx) => {
    const names = REGIONS.map(({ name }) => name);
    const trust = await readRegionTrust(tx, names, nowMs);
    const agents = await readRegionAgents(tx, nowMs);
    const checks = await readWorkspaceChecks(tx, workspace.workspaceId, nowMs);
    return REGIONS.map(({ name: region, location }): RegionView => {
      const { state, sinceMs } = trust.find((one) => one.region === region)!;
      const own = agents.find((one) => one.region === region);
      const due = checks.find((one) => one.region === region);
      return {
        region,
        location,
        state,
        since: sinceMs === null ? null : new Date(sinceMs).toISOString(),
        agents: own?.connected ?? 0,
        startLagP99: own?.startLagP99Ms ?? null,
        monitors: due?.monitors ?? 0,
        checksPerMinute: due?.checksPerMinute ?? 0,
        reportingPerMinute: due?.reportingPerMinute ?? 0,
      };
    });
  });
}
