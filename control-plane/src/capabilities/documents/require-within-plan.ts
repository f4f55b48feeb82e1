import { Fault, type FaultDetail } from '@watchpost/shared/fault';
import { groupBy } from '@watchpost/shared/group-by';
import type { LimitKey } from '@watchpost/shared/plan-limits';
import { channelLimit, type Entitlements, requireWithinLimit } from '../plans/index.js';
import type { DecidedPlan, PlannedChange } from './decide-plan.js';
import type { DesiredState } from './desired-objects.js';

const MAX_FAULTS = 100;

/**
 * Refuses to create more than the plan of the owner could ever hold, before anything is done. What the owner has already is
 * counted by the operations.
 * @throws Fault plan_limit_exceeded with the path of each object beyond the limit, at most 100
 */
export function requireWithinPlan(entitlements: Entitlements, plan: DecidedPlan, { placeOf }: DesiredState): void {
  const created = plan.changes.filter(({ action }) => action === 'create');
  const faults: Fault[] = [];
  for (const [limit, changes] of groupBy(created, limitOf)) {
    const most = limit === null ? null : entitlements.limits[limit];
    if (limit === null || most === null) continue;
    for (const { kind, key } of changes.slice(most, most + MAX_FAULTS))
      try {
        requireWithinLimit(entitlements, limit, most + 1, `${kind}.${key}`);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        faults.push(error);
      }
  }
  const [first] = faults;
  if (!first) return;
  const details = faults
    .slice(0, MAX_FAULTS)
    .flatMap(({ details: [detail] }) => (detail ? [withPlace(detail, placeOf)] : []));
  throw new Fault(first.code, first.message, details);
}

function withPlace(detail: FaultDetail, placeOf: DesiredState['placeOf']): FaultDetail {
  return { ...detail, message: `${detail.message}${placeOf(detail.path.split('.'))}` };
}

function limitOf({ kind, desired }: PlannedChange): LimitKey | null {
  if (kind === 'monitors' || kind === 'teams') return kind;
  return kind === 'actionGroups' ? channelLimit(String(desired!.given['type'])) : null;
}
