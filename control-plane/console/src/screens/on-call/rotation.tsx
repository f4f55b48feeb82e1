import { show } from '../../parts/dialog.js';
import type { Schedule } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { hasRole, pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { Button } from '../../parts/button.js';
import { capitalized } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { colouring, nameOf } from './people.js';
import { RotationDialog } from './rotation-dialog.js';

/** The rotation of a team, and its editor. */
export function RotationSection({ team }: { team: Team }) {
  const read = useResource<Schedule>(`/api/v1/teams/${team.id}/schedule`);
  const mayChange = hasRole('Admin');
  return (
    <Section
      look="part"
      title="Rotation"
      aside={
        mayChange &&
        read.data &&
        team.members.length > 0 && (
          <Button
            text={read.data.rotation === null ? 'Set up' : 'Change'}
            icon={read.data.rotation === null ? 'plus' : 'edit'}
            onClick={() => show(<RotationDialog team={team} />)}
          />
        )
      }
    >
      <Loaded of={read}>{(schedule) => <Rotation team={team} schedule={schedule} />}</Loaded>
    </Section>
  );
}

function Rotation({ team, schedule }: { team: Team; schedule: Schedule }) {
  const { rotation, participants, handoffDay, handoffTime, timezone, unavailable, planRestricted } = schedule;
  if (rotation === null)
    return (
      <p class="soft">
        {participants !== null
          ? 'Shifts of other lengths: they are among the schedules.'
          : team.members.length === 0
            ? 'Add people first; then they can take turns.'
            : 'Nobody takes turns yet. Overrides put people on call for a time.'}
      </p>
    );
  return (
    <>
      {planRestricted && (
        <p class="note note-partial">
          The plan does not cover this rotation, so nobody is on call.{' '}
          <a href={pathTo('/settings/plan')}>See what each plan has</a>
        </p>
      )}
      <p>
        {rotation === 'weekly' ? `Weekly, on ${capitalized(handoffDay ?? '')}` : 'Daily'} at {handoffTime},{' '}
        {timezone?.replaceAll('_', ' ')}
      </p>
      <ol class="list lines gap-2">
        {participants?.map((userId) => (
          <li key={userId} class="flex center gap-2">
            <span class="oncall-dot" style={colouring({ userId })} />
            {nameOf(team.members.find((member) => member.userId === userId))}
            {unavailable.includes(userId) && <span class="chip">suspended: the next one takes over</span>}
          </li>
        ))}
      </ol>
    </>
  );
}
