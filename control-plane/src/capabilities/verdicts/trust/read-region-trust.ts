import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { HEARTBEAT_MS } from './operator-notices.js';
import { regionHealthStore } from './region-health-store.js';
import { suspectPeriodStore } from './suspect-period-store.js';

export interface RegionTrust {
  region: Region;
  /** `silent`: no agent is connected. `suspect`: failures do not count. A region can be both, and is `silent` then. */
  state: 'healthy' | 'suspect' | 'silent';
  /** Since when; null while it is healthy, and where no agent was ever connected. */
  sinceMs: number | null;
  agents: number;
}

/** The state of regions. Two statements. */
export async function readRegionTrust(tx: Tx, regions: readonly Region[], nowMs: number): Promise<RegionTrust[]> {
  const heard = await regionHealthStore.lastHeard(tx, new Date(nowMs - HEARTBEAT_MS));
  const suspects = await suspectPeriodStore.open(tx);
  return regions.map((region): RegionTrust => {
    const { agents, lastSeenMs } = heard.find((one) => one.region === region) ?? { agents: 0, lastSeenMs: null };
    if (agents === 0) return { region, state: 'silent', sinceMs: lastSeenMs, agents };
    const period = suspects.find((one) => one.region === region);
    return { region, state: period ? 'suspect' : 'healthy', sinceMs: period?.onsetMs ?? null, agents };
  });
}
