import type { FaultDetail } from '@watchpost/shared/fault';
import { type Handoffs, latestStartDate, weekdayOf } from './decide-rotation.js';
import type { ScheduleInput } from './schedule-schemas.js';

export interface ScheduleSettings extends Handoffs {
  /** One round, in order; null is the turn of a person who has left. */
  turns: readonly (string | null)[];
}

/**
 * A schedule after a change: named fields replace the former values, the others stay, or get their defaults in a new
 * schedule.
 * @returns the settings, or all faults
 */
export function decideSchedule(
  before: ScheduleSettings | null,
  input: ScheduleInput,
  nowMs: number,
): { settings: ScheduleSettings; faults: null } | { settings: null; faults: FaultDetail[] } {
  const faults: FaultDetail[] = [];
  const rotation = input.rotation ?? before?.rotation;
  const turns = input.participants ?? before?.turns;
  if (!rotation) faults.push({ path: 'rotation', message: 'must be there the first time' });
  if (!turns) faults.push({ path: 'participants', message: 'must be there the first time' });
  if (rotation === 'daily' && input.handoffDay !== undefined && input.handoffDay !== null) {
    faults.push({ path: 'handoffDay', message: 'must not be there: a daily rotation has none' });
  }
  const seen = new Set<string>();
  for (const [index, userId] of (input.participants ?? []).entries()) {
    if (seen.has(userId)) faults.push({ path: `participants.${index}`, message: 'is there already' });
    seen.add(userId);
  }
  if (!rotation || !turns || faults.length > 0) return { settings: null, faults };
  const timezone = input.timezone ?? before?.timezone ?? 'UTC';
  const handoffTime = input.handoffTime ?? before?.handoffTime ?? '09:00';
  const startDate = input.startDate ?? before?.startDate ?? latestStartDate({ timezone, handoffTime }, nowMs);
  // null resets a field to its default.
  const kept = input.handoffDay === null ? null : (input.handoffDay ?? before?.handoffDay ?? null);
  const handoffDay = rotation === 'weekly' ? (kept ?? weekdayOf(startDate)) : null;
  return { settings: { rotation, timezone, handoffTime, handoffDay, startDate, turns }, faults: null };
}
