import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import { isWithinQuietHours } from '../workspaces/index.js';
import type { Tx } from '../../platform/db/database.js';
import { decideShifts } from './decide-on-call.js';
import { decideShiftReminders, reminderRange, type ShiftReminder } from './decide-shift-reminders.js';
import { EACH_AT_ONCE, eachInTurn } from './each-in-turn.js';
import type { ScheduleDeps } from './on-call-deps.js';
import { personIn, planOfTeam, readSchedules } from './read-on-call.js';
import { type RemindedMember, type ScheduleKey, shiftReminderStore } from './shift-reminder-store.js';
import { onCallMail, spanText } from './swap-mail.js';
import { teamStore } from './team-store.js';

/** It is tried again after this time while a mail waits for the end of quiet hours. */
const QUIET_MS = 5 * MINUTE_MS;
/** A record of what was sent is kept for this time, which is longer than anything is sent again. */
const KEPT_MS = 3 * DAY_MS;

/**
 * Mails to people 24 hours before their shifts and when these begin, once each. Mails wait while the person has quiet hours.
 * A change of a team has its schedules looked at again.
 * @throws the first error of a schedule, after all others are done
 */
export async function remindOfShifts(deps: ScheduleDeps): Promise<void> {
  await eachInTurn(
    (after) => deps.db.read((tx) => shiftReminderStore.due(tx, new Date(deps.clock.now()), after, EACH_AT_ONCE)),
    (key) => deps.db.transaction((tx) => remind(deps, tx, key)),
    ({ scheduleId }) => scheduleId,
  );
}

async function remind(deps: ScheduleDeps, tx: Tx, { workspaceId, teamId, scheduleId }: ScheduleKey): Promise<void> {
  if (!(await teamStore.lock(workspaceId, tx, teamId))) return;
  const nowMs = deps.clock.now();
  const { plan, hasRotations } = await readSchedules(tx, workspaceId, teamId);
  const schedule = plan.schedules.find(({ id }) => id === scheduleId);
  if (!schedule) return;
  const { fromMs, toMs } = reminderRange(nowMs);
  const shifts = decideShifts(planOfTeam(plan, schedule, hasRotations), fromMs, toMs);
  const { wanted, nextMs } = decideShiftReminders(shifts, nowMs);
  const members = await shiftReminderStore.members(workspaceId, tx, [...new Set(wanted.map(({ userId }) => userId))]);
  const wantedBy = wanted.filter(({ userId }) => members.get(userId)?.shiftReminders);
  const isQuiet = ({ userId }: ShiftReminder) => hasQuietHours(members.get(userId)!, nowMs);
  for (const one of wantedBy.filter((each) => !isQuiet(each))) {
    if (!(await shiftReminderStore.note(workspaceId, tx, scheduleId, one))) continue;
    const email = personIn(plan)(one.userId)?.email;
    if (!email) continue;
    const span = spanText(new Date(one.startMs), new Date(one.endMs), schedule.timezone);
    const where = plan.schedules.length > 1 ? `${plan.name} (${schedule.name})` : plan.name;
    const begins = one.kind === 'day' ? 'begins' : 'has begun';
    const mail = onCallMail(email, {
      subject: `Your shift for ${where} ${begins}`,
      sentences: [
        one.kind === 'day' ? `You are on call for ${where} soon.` : `You are on call for ${where} now.`,
        `The shift is from ${span}.`,
      ],
      link: `${deps.baseUrl}/console/on-call`,
      action: 'Look at the schedule',
    });
    await deps.sendMail(tx, workspaceId, mail);
  }
  const againMs = wantedBy.some(isQuiet) ? Math.min(nextMs, nowMs + QUIET_MS) : nextMs;
  await shiftReminderStore.lookAgain(workspaceId, tx, scheduleId, new Date(againMs), new Date(nowMs - KEPT_MS));
}

/** Quiet hours that cannot be read do not apply. */
function hasQuietHours({ quietHours }: RemindedMember, nowMs: number): boolean {
  try {
    return isWithinQuietHours(quietHours, nowMs);
  } catch {
    return false;
  }
}
