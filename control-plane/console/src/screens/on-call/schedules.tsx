import { useState } from 'preact/hooks';
import type {
  OnCallReport,
  ReadinessView,
  TeamSchedule,
} from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Swap } from '@watchpost/control-plane/capabilities/on-call/swap-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { now } from '../../data/clock.js';
import { change, useResource } from '../../data/resources.js';
import { first } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { capitalized, momentText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { colouring, nameOf } from './people.js';

const MOST_SCHEDULES = 10;
const PROBLEMS: Readonly<Record<NonNullable<ReadinessView['problem']>, string>> = {
  noMethod: 'cannot be paged by any channel',
  unverifiedNumber: 'number not confirmed',
  suspended: 'replaces a suspended person',
  nobody: 'nobody is on call',
  noSignIn90Days: 'not signed in for 90 days',
};
const SHOWN = 8;

/** The schedules of a team: their layers, coming shifts with a problem, swaps, and the hours of the month. */
export function Schedules({ team }: { team: Team }) {
  const path = `/api/v1/teams/${team.id}/schedules`;
  const read = useResource<TeamSchedule[]>(path, { pageSize: MOST_SCHEDULES });
  return (
    <Section look="part" title="Schedules">
      <Loaded of={read}>
        {(schedules) =>
          schedules.length === 0 ? (
            <p class="soft">None yet.</p>
          ) : (
            <ul class="list lines gap-3">
              {schedules.map((schedule) => (
                <li key={schedule.id} class="lines gap-2">
                  <Layers schedule={schedule} />
                  <Readiness path={`${path}/${schedule.id}`} />
                  <Swaps path={`${path}/${schedule.id}`} team={team} />
                  <Report path={`${path}/${schedule.id}`} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function Layers({ schedule: { name, timezone, layers } }: { schedule: TeamSchedule }) {
  return (
    <>
      <h4>{name}</h4>
      {layers.map(
        ({ name: layer, rotation: { unit, every, handoffTime, handoffDay }, restrictions, participants }, at) => (
          <p key={at} class="soft small">
            {layer}: {every === 1 ? `every ${unit}` : `every ${every} ${unit}s`}
            {handoffDay && `, on ${capitalized(handoffDay)}`} at {handoffTime} ({timezone.replaceAll('_', ' ')}),{' '}
            {participants.length === 1 ? '1 person' : `${participants.length} people`}
            {restrictions.map(
              ({ days, start, end }) =>
                `, ${days.map((day) => capitalized(day.slice(0, 3))).join(' ')} ${start}–${end}`,
            )}
          </p>
        ),
      )}
    </>
  );
}

/** The coming shifts that nobody could answer. */
function Readiness({ path }: { path: string }) {
  const read = useResource<ReadinessView[]>(`${path}/readiness`);
  const nowMs = now.value;
  const wrong = (read.data ?? []).filter(({ problem }) => problem !== null);
  if (!read.data) return null;
  if (wrong.length === 0) return <p class="small">Every shift of the next 30 days can be answered.</p>;
  return (
    <ul class="list lines gap-2" aria-label="Coming shifts with a problem">
      {wrong.slice(0, SHOWN).map(({ user, start, problem }) => (
        <li key={start} class="flex center gap-2">
          <span class="oncall-dot" style={colouring(user)} />
          <span class="lines grow">
            {momentText(Date.parse(start), nowMs)}
            <span class="state-unavailable small">
              {user && `${nameOf(user)}: `}
              {PROBLEMS[problem!]}
            </span>
          </span>
        </li>
      ))}
      {wrong.length > SHOWN && <li class="soft small">And {wrong.length - SHOWN} more.</li>}
    </ul>
  );
}

/** The open swaps, and what the reader can do with each. */
function Swaps({ path, team }: { path: string; team: Team }) {
  const read = useResource<Swap[]>(`${path}/swaps`);
  const nowMs = now.value;
  const own = first?.user.id;
  const open = (read.data ?? []).filter(({ state }) => state === 'open');
  const personOf = (userId: string | null) => nameOf(team.members.find((member) => member.userId === userId));
  const answer = (swap: Swap, verb: 'accept' | 'decline' | 'withdraw', sentence: string) => {
    change('POST', `${path}/swaps/${swap.id}/${verb}`).then(() => {
      toast(sentence);
    }, toastFault);
  };
  if (open.length === 0) return null;
  return (
    <ul class="list lines gap-2" aria-label="Open swaps">
      {open.map((swap) => (
        <li key={swap.id} class="lines gap-2">
          <span>
            {personOf(swap.userId)} asks {swap.withUserId === null ? 'the team' : personOf(swap.withUserId)} to take{' '}
            {momentText(Date.parse(swap.shiftStart), nowMs)} – {momentText(Date.parse(swap.shiftEnd), nowMs)}
          </span>
          <span class="row">
            {swap.userId === own ? (
              <Button text="Withdraw" onClick={() => answer(swap, 'withdraw', 'The swap is withdrawn.')} />
            ) : (
              (swap.withUserId ?? own) === own && (
                <Button
                  text="Take the shift"
                  look="primary"
                  onClick={() => answer(swap, 'accept', 'The shift is yours.')}
                />
              )
            )}
            {swap.withUserId === own && (
              <Button text="Decline" onClick={() => answer(swap, 'decline', 'The swap is declined.')} />
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Hours and pages of the month, by person, once asked for. */
function Report({ path }: { path: string }) {
  const [isOpen, setOpen] = useState(false);
  const month = new Date(now.peek()).toISOString().slice(0, 7);
  const read = useResource<OnCallReport>(isOpen ? `${path}/on-call-report` : null, { month });
  if (!isOpen) return <Button text="Hours of this month" onClick={() => setOpen(true)} />;
  return (
    <Loaded of={read}>
      {({ people }) => (
        <ul class="list lines gap-2" aria-label="Hours of this month">
          {people.map(({ user, totalHours, differenceHours, pages, pagesAtNight }) => (
            <li key={user.userId} class="flex center gap-2">
              <span class="oncall-dot" style={colouring(user)} />
              <span class="lines grow">
                {nameOf(user)}
                <span class="soft small num">
                  {totalHours} h ({differenceHours >= 0 ? '+' : ''}
                  {differenceHours} h to a fair share), {pages} {pages === 1 ? 'page' : 'pages'}, {pagesAtNight} at
                  night
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
