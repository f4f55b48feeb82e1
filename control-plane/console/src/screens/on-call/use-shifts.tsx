import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { now } from '../../data/clock.js';
import { hasRole } from '../../data/session.js';
import { show } from '../../parts/dialog.js';
import { OverrideDialog, type NewOverride } from './override-dialog.js';
import type { Shift } from './people.js';
import { ShiftDialog } from './shift-dialog.js';

/** The verbs for the shifts of a calendar. */
export function useShifts(teams: readonly Team[], isRestricted: (shift: Shift) => boolean) {
  const override = (asked: NewOverride) => show(<OverrideDialog teams={teams} asked={asked} />);
  /** Puts somebody on call in place of a shift, or for the next 8 hours. */
  const askAt = (schedulePath: string, teamId: string, shift?: Shift) => {
    if (!hasRole('Admin')) return;
    const hour = Math.ceil(now.peek() / HOUR_MS) * HOUR_MS;
    const minute = Math.floor(now.peek() / MINUTE_MS) * MINUTE_MS;
    const time = shift
      ? { startMs: Math.max(shift.startMs, minute), endMs: shift.endMs }
      : { startMs: hour, endMs: hour + 8 * HOUR_MS };
    override({ teamId, schedulePath, ...time });
  };
  const open = (shift: Shift) =>
    show(
      <ShiftDialog
        shift={shift}
        team={teams.find(({ id }) => id === shift.teamId)}
        isRestricted={isRestricted(shift)}
        onOverride={() => askAt(shift.schedulePath, shift.teamId, shift)}
      />,
    );
  return { open, override, askAt };
}
