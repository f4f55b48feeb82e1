import type { PublicStatus } from '@watchpost/shared/design/states';
import type { HealthStatus, Verdict } from '../verdicts/index.js';

/** The state of a monitor of a system; null before its first result. */
export interface MemberState {
  verdict: Verdict | null;
  healthStatus: HealthStatus | null;
  isEnabled: boolean;
  /** Whether it checks availability over HTTP, TCP or UDP. Certificate and DNS monitors do not. */
  checksReachability: boolean;
  /** Whether the results of all regions are stale. */
  isSilent?: boolean;
  /** Whether a maintenance window that names the page covers it now. */
  inMaintenance?: boolean;
}

/**
 * The status of a system by its monitors, without paused ones. Where availability is checked it decides, and problems of
 * certificates and DNS answers add at most `degraded`.
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

function statusOf({ verdict, healthStatus, isSilent, inMaintenance }: MemberState): PublicStatus {
  if (inMaintenance) return 'maintenance';
  if (isSilent) return 'unknown';
  if (verdict === 'unavailable') return 'majorOutage';
  if (verdict === 'partial') return 'partialOutage';
  if (verdict !== 'available') return 'unknown';
  return healthStatus === 'degraded' ? 'degraded' : 'operational';
}

/** In increasing weight. */
const BY_WEIGHT = ['operational', 'unknown', 'maintenance', 'degraded', 'partialOutage'] as const;

/** The status of several systems; a major outage only if all of them have one. */
export function combineStatuses(statuses: readonly PublicStatus[]): PublicStatus {
  if (statuses.length === 0) return 'unknown';
  if (statuses.every((status) => status === 'majorOutage')) return 'majorOutage';
  if (statuses.includes('majorOutage')) return 'partialOutage';
  return BY_WEIGHT.findLast((status) => statuses.includes(status))!;
}
