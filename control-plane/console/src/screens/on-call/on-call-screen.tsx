import { show } from '../../parts/dialog.js';
import { useLocation } from 'preact-iso';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { addressWith, paramsOf, WHOLE } from '../../data/address.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useResource, change } from '../../data/resources.js';
import { Screen } from '../../frame/screen.js';
import { Button } from '../../parts/button.js';
import { EmptyState, Loaded } from '../../parts/loaded.js';
import { Tabs } from '../../parts/section.js';
import { Calendar } from './calendar.js';
import { TeamView } from './team-view.js';
import type { TeamDuty } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { toast } from '../../frame/toasts.js';
import { FormDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import { countText } from '../../parts/format.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/marks.js';
import { teamHref } from './part-head.js';
import { nameOf } from './people.js';

/** Who is on call, and the teams that are. */
export function OnCallScreen() {
  const { url, route } = useLocation();
  const address = paramsOf(url);
  const isTeams = address.get('tab') === 'teams';
  const teamId = address.get('team') ?? '';
  const read = useResource<Team[]>('/api/v1/teams', WHOLE);
  const teams = read.data?.toSorted((a, b) => a.name.localeCompare(b.name)) ?? [];
  const mayChange = hasRole('Admin');
  const newTeam = (
    <Button
      text="New team"
      icon="plus"
      {...(teams.length === 0 && { look: 'primary' as const })}
      onClick={() => show(<NewTeamDialog />)}
    />
  );
  return (
    <Screen
      title="On call"
      actions={
        mayChange &&
        teams.length > 0 &&
        (isTeams ? (
          newTeam
        ) : (
          <Button
            text="Add override"
            look="primary"
            icon="person"
            onClick={() => route(addressWith(url, { new: '1' }))}
          />
        ))
      }
      lead={
        teams.length > 0 && (
          <Tabs
            label="On call"
            tabs={[
              { href: pathTo('/on-call'), label: 'Calendar', isCurrent: !isTeams },
              { href: pathTo('/on-call', { tab: 'teams' }), label: 'Teams', isCurrent: isTeams, count: teams.length },
            ]}
          />
        )
      }
    >
      <Loaded of={read} rows={6}>
        {() =>
          teams.length === 0 ? (
            <EmptyState icon="on-call" title="Nobody is on call" action={mayChange && newTeam}>
              A team takes turns at being on call. The person on call is paged when a monitor of its service groups
              fails{mayChange ? '.' : '. Admins make teams.'}
            </EmptyState>
          ) : !isTeams ? (
            <Calendar teams={teams} />
          ) : teamId === '' ? (
            <TeamList teams={teams} />
          ) : (
            <TeamView
              key={teamId}
              teamId={teamId}
              scheduleId={address.get('schedule') ?? ''}
              policyId={address.get('policy') ?? ''}
            />
          )
        }
      </Loaded>
    </Screen>
  );
}

/** All teams, with who is on call. */
function TeamList({ teams }: { teams: readonly Team[] }) {
  const overview = useResource<{ onCall: TeamDuty[] }>('/api/v1/overview');
  const dutyOf = (teamId: string) => overview.data?.onCall.find((duty) => duty.teamId === teamId);
  return (
    <Table
      label="Teams"
      rows={teams}
      rowHref={({ id }) => teamHref(id)}
      columns={{
        Team: ({ name, description }) => (
          <>
            {name}
            {description && <span class="soft small block normal">{description}</span>}
          </>
        ),
        'On call now': ({ id }) => {
          const duty = dutyOf(id);
          if (duty === undefined) return <span class="soft">–</span>;
          if (duty.now === null) return <span class="state-unavailable">Nobody</span>;
          return (
            <>
              {duty.now.name ?? 'somebody without a name'}
              {duty.now.until && <Time at={duty.now.until} as="moment" class="soft" before=" until " />}
            </>
          );
        },
        Leads: {
          from: 768,
          cell: ({ members }) =>
            members
              .filter(({ teamRole }) => teamRole === 'lead')
              .map(nameOf)
              .join(', ') || <span class="state-partial">none</span>,
        },
        Members: { isNumber: true, cell: ({ members }) => countText(members.length, 'person', 'people') },
      }}
    />
  );
}

function NewTeamDialog() {
  const { route } = useLocation();
  return (
    <FormDialog
      title="New team"
      action="Create the team"
      initial={{ name: '', description: '' }}
      onSubmit={async ({ name, description }) => {
        const body = { name, description: description || null };
        const { body: team } = await change<Team>('POST', '/api/v1/teams', { body });
        toast(`${team.name} exists. Add its people and a schedule.`);
        route(teamHref(team.id));
      }}
    >
      {() => (
        <>
          <Field name="name" label="Name" placeholder="Platform" />
          <Field name="description" label="Description (optional)" placeholder="What it answers for" />
        </>
      )}
    </FormDialog>
  );
}
