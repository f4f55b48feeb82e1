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
  /** Its checks reach the target over HTTP, TCP or UDP; a certificate or DNS monitor does not. */
  checksReachability: boolean;
  /** No region's last word holds any longer, whatever was concluded from it. */
  isSilent?: boolean;
}

/**
 * The status of a system by its monitors; paused ones do not count. Reachability decides: where it is checked,
 * certificates and DNS answers add at most `degraded`, whatever is wrong with them.
 */
export function decideSystemStatus(members: readonly MemberState[]): PublicStatus {
  const enabled = members.filter(({ isEnabled }) => isEnabled);
  const reaching = enabled.filter(({ checksReachability }) => checksReachability);
  if (reaching.length === 0) return combineStatuses(enabled.map(statusOf));
  const reachability = combineStatuses(reaching.map(statusOf));
  if (reachability === 'majorOutage') return reachability;
  const others = enabled.filter(({ checksReachability }) => !checksReachability).map(statusOf);
  return combineStatuses([reachability, ...others.map(atMostDegraded)]);
}

function atMostDegraded(status: PublicStatus): PublicStatus {
  return status === 'majorOutage' || status === 'partialOutage' ? 'degraded' : status;
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
