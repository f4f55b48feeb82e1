import type { OnCallPlan } from './decide-on-call.js';
import type { SimpleRotation } from './decide-schedule.js';

/** For tests: a plan of one layer without more. */
export function simplePlan(rotation: SimpleRotation | null, overrides: OnCallPlan['overrides'] = []): OnCallPlan {
  if (!rotation) return { timezone: 'UTC', layers: [], holidays: [], former: [], overrides };
  const { rotation: kind, timezone, handoffTime, handoffDay, startDate, turns } = rotation;
  const unit = kind === 'daily' ? 'day' : 'week';
  const layer = { name: 'Rotation', endDate: null, restrictions: [], holidays: 'ignore' as const, startDate, turns };
  return {
    timezone,
    layers: [{ ...layer, rotation: { unit, every: 1, handoffTime, handoffDay } }],
    holidays: [],
    former: [],
    overrides,
  };
}
