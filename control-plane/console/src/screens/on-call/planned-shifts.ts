import type { OnCallShiftView } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import { first } from '../../data/session.js';
import type { Planned, Shift } from './people.js';

/**
 * The final shifts and gaps of one schedule, as its previews answer them.
 * @param createdMs when the schedule was made: before, there are no gaps
 */
export function plannedShifts(of: Planned, views: readonly OnCallShiftView[], createdMs = -Infinity): Shift[] {
  const all = views.map(({ user, source, start, end }) => ({
    ...of,
    key: `${of.schedulePath} ${start}`,
    person: user,
    isMine: user !== null && user.userId === first?.user.id,
    isOverride: source === 'override',
    startMs: user === null ? Math.max(Date.parse(start), createdMs) : Date.parse(start),
    endMs: Date.parse(end),
  }));
  return all.filter(({ startMs, endMs }) => startMs < endMs);
}
