import type { TeamShiftsView } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import { now } from '../../data/clock.js';
import { useResource } from '../../data/resources.js';
import { relativeText } from '../../parts/format.js';
import { Icon } from '../../parts/button.js';
import { OWN_ZONE } from '../../parts/form.js';
import { Time } from '../../parts/marks.js';
import { addDays } from '../../data/days.js';
import { dateOf, startOfDate } from './calendar-layout.js';
import { shiftsOf } from './people.js';

/** How far ahead the next shift is looked for: the longest range that the API answers at once. */
const AHEAD_DAYS = 91;

/** Whether I am on call, and when I will be next. */
export function MyShift() {
  const today = dateOf(now.value, OWN_ZONE);
  const read = useResource<TeamShiftsView[]>('/api/v1/on-call/shifts', {
    startDate: new Date(startOfDate(today, OWN_ZONE)).toISOString(),
    endDate: new Date(startOfDate(addDays(today, AHEAD_DAYS), OWN_ZONE)).toISOString(),
  });
  if (read.data === undefined) return <div class="oncall-mine-room" />;
  const nowMs = now.value;
  const mine = read.data
    .flatMap(shiftsOf)
    .filter(({ isMine, endMs }) => isMine && endMs > nowMs)
    .sort((a, b) => a.startMs - b.startMs);
  const current = mine.filter(({ startMs }) => startMs <= nowMs);
  const next = mine.find(({ startMs }) => startMs > nowMs);
  return (
    <p
      class={
        current.length > 0
          ? 'oncall-mine-line sunken flex center gap-3 pad-2-4 is-on'
          : 'oncall-mine-line sunken flex center gap-3 pad-2-4'
      }
    >
      <Icon name="person" />
      <span>
        {current.length > 0 && (
          <>
            <strong>You are on call</strong> for {current.map(({ teamName }) => teamName).join(' and ')} until{' '}
            <Time at={current[0]!.endMs} as="moment" />.{' '}
          </>
        )}
        {next ? (
          <>
            Your next shift: <strong>{next.teamName}</strong>, <Time at={next.startMs} as="moment" /> –{' '}
            <Time at={next.endMs} as="moment" />, {relativeText(next.startMs, nowMs)}.
          </>
        ) : (
          current.length === 0 && 'You have no shift in the next three months.'
        )}
      </span>
    </p>
  );
}
