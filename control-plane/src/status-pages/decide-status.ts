import type { HealthStatus, Verdict } from '../results/index.js';

/** What visitors read. `unknown`: nobody could tell, which never looks healthy. */
export const PUBLIC_STATUSES = [
  'operational',
  'degraded',
  'partialOutage',
  'majorOutage',
  'maintenance',
  'unknown',
] as const;
export type PublicStatus = (typeof PUBLIC_STATUSES)[number];

/** Where a monitor of a system stands; null before its first result. */
export interface MemberState {
  verdict: Verdict | null;
  healthStatus: HealthStatus | null;
  isEnabled: boolean;
  /** No region's last word holds any longer, whatever was concluded from it. */
  isSilent?: boolean;
}

/** What a system's monitors say of it. Those that are paused say nothing, unless all of them are. */
export function decideSystemStatus(members: readonly MemberState[]): PublicStatus {
  return combineStatuses(members.filter(({ isEnabled }) => isEnabled).map(statusOf));
}

function statusOf({ verdict, healthStatus, isSilent }: MemberState): PublicStatus {
  if (isSilent) return 'unknown';
  if (verdict === 'unavailable') return 'majorOutage';
  if (verdict === 'partial') return 'partialOutage';
  if (verdict !== 'available') return 'unknown';
  return healthStatus === 'degraded' ? 'degraded' : 'operational';
}

/** From here on, each outweighs those before it. */
const BY_WEIGHT = ['operational', 'unknown', 'maintenance', 'degraded', 'partialOutage'] as const;

/** One status for several: it is a major outage only where all of them have one. */
export function combineStatuses(statuses: readonly PublicStatus[]): PublicStatus {
  if (statuses.length === 0) return 'unknown';
  if (statuses.every((status) => status === 'majorOutage')) return 'majorOutage';
  if (statuses.includes('majorOutage')) return 'partialOutage';
  return BY_WEIGHT.findLast((status) => statuses.includes(status))!;
}
