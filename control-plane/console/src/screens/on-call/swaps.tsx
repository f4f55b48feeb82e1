import { DAY_MS } from '@watchpost/shared/time';
import type { OnCallShiftView, TeamSchedule } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Swap } from '@watchpost/control-plane/capabilities/on-call/swap-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { request } from '../../data/api.js';
import { now } from '../../data/clock.js';
import { change, useResource } from '../../data/resources.js';
import { first } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { show } from '../../parts/dialog.js';
import { FormDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import { momentText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { nameOf, optionsOf, type Shift } from './people.js';

const SHOWN = 20;
const STATES: Readonly<Record<Swap['state'], string>> = {
  open: 'open',
  taken: 'taken',
  declined: 'declined',
  expired: 'nobody took it',
  withdrawn: 'withdrawn',
  void: 'the schedule has no such shift any more',
};

/** Requests that somebody else takes a shift: what the reader can do with each, and what became of former ones. */
export function Swaps({ path, team }: { path: string; team: Team }) {
  const read = useResource<Swap[]>(`${path}/swaps`, { pageSize: SHOWN });
  // The first one is under way: it begins where the answer does.
  const [, ...coming] = useResource<OnCallShiftView[]>(`${path}/preview`).data ?? [];
  const own = coming.find(({ user, source }) => user?.userId === first?.user.id && source === 'rotation');
  const planned = { teamId: team.id, teamName: team.name, schedulePath: path };
  return (
    <Section
      look="part"
      title="Swaps"
      lead="Ask others to take one of your shifts. Choose it in the calendar, or begin with the next one."
      aside={
        own && (
          <Button
            text="Ask for my next shift"
            onClick={() =>
              show(
                <AskDialog
                  team={team}
                  shift={{ ...planned, startMs: Date.parse(own.start), endMs: Date.parse(own.end) }}
                />,
              )
            }
          />
        )
      }
    >
      <Loaded of={read}>
        {(swaps) =>
          swaps.length === 0 ? (
            <p class="soft">Nobody has asked for a swap.</p>
          ) : (
            <ul class="list lines gap-3" aria-label="Swaps">
              {swaps.map((swap) => (
                <SwapRow key={swap.id} swap={swap} path={path} team={team} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function SwapRow({ swap, path, team }: { swap: Swap; path: string; team: Team }) {
  const { id, userId, withUserId, takenBy, state, shiftStart, shiftEnd } = swap;
  const nowMs = now.value;
  const own = first?.user.id;
  const personOf = (who: string) => nameOf(team.members.find((member) => member.userId === who));
  const answer = (text: string, verb: 'accept' | 'decline' | 'withdraw', sentence: string) => (
    <Button
      text={text}
      onClick={() =>
        void change('POST', `${path}/swaps/${id}/${verb}`).then(() => {
          toast(sentence);
        }, toastFault)
      }
    />
  );
  const isMember = team.members.some((member) => member.userId === own);
  return (
    <li class="lines gap-2">
      <span>
        {personOf(userId)} asks {withUserId === null ? 'the team' : personOf(withUserId)} to take{' '}
        <span class="num">
          {momentText(Date.parse(shiftStart), nowMs)} – {momentText(Date.parse(shiftEnd), nowMs)}
        </span>
        {state !== 'open' && <span class="soft">: {takenBy ? `${personOf(takenBy)} took it` : STATES[state]}</span>}
      </span>
      {state === 'open' && (
        <span class="row">
          {userId === own
            ? answer('Withdraw', 'withdraw', 'The swap is withdrawn.')
            : isMember && (withUserId ?? own) === own && answer('Take the shift', 'accept', 'The shift is yours.')}
          {withUserId === own && answer('Decline', 'decline', 'The swap is declined.')}
        </span>
      )}
    </li>
  );
}

type Asked = Pick<Shift, 'teamId' | 'schedulePath' | 'startMs' | 'endMs'>;

/** Asks one person, or the team, to take a shift. */
export function AskDialog({ shift, team }: { shift: Asked; team: Team }) {
  const nowMs = now.peek();
  const others = team.members.filter(({ userId }) => userId !== first?.user.id);
  return (
    <FormDialog
      title="Ask somebody to take it"
      action="Ask"
      initial={{ withUserId: '' }}
      onSubmit={async ({ withUserId }) => {
        const path = await schedulePathOf(shift);
        // A calendar cuts shifts at its ends; the API swaps whole ones.
        const { startMs, endMs } = await wholeOf(shift);
        const body = {
          shiftStart: new Date(startMs).toISOString(),
          shiftEnd: new Date(endMs).toISOString(),
          withUserId: withUserId || null,
        };
        await change('POST', `${path}/swaps`, { body });
        toast(`${withUserId === '' ? 'The team is' : 'They are'} asked by mail to take the shift.`);
      }}
    >
      {() => (
        <>
          <p class="num">
            {momentText(shift.startMs, nowMs)} – {momentText(shift.endMs, nowMs)}
          </p>
          <Field
            name="withUserId"
            label="Who is asked"
            options={[{ value: '', label: 'Everybody of the team' }, ...optionsOf(others)]}
            hint="The shift stays yours until somebody takes it."
          />
        </>
      )}
    </FormDialog>
  );
}

/** Swaps belong to a schedule by its id; the path of the first one has none. */
async function schedulePathOf({ teamId, schedulePath }: Asked): Promise<string> {
  if (!schedulePath.endsWith('/schedule')) return schedulePath;
  const path = `/api/v1/teams/${teamId}/schedules`;
  const [first] = (await request<TeamSchedule[]>('GET', path)).body;
  return `${path}/${first!.id}`;
}

const AROUND_MS = 120 * DAY_MS;

async function wholeOf({ schedulePath, startMs, endMs }: Asked): Promise<{ startMs: number; endMs: number }> {
  const query = {
    startDate: new Date(startMs - AROUND_MS).toISOString(),
    endDate: new Date(endMs + AROUND_MS).toISOString(),
  };
  const { body } = await request<OnCallShiftView[]>('GET', `${schedulePath}/preview`, { query });
  const whole = body.find(({ start, end }) => Date.parse(start) <= startMs && Date.parse(end) > startMs);
  return whole ? { startMs: Date.parse(whole.start), endMs: Date.parse(whole.end) } : { startMs, endMs };
}
