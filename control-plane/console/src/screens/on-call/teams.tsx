import { useLocation } from 'preact-iso';
import type { TeamDuty } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { change, useResource } from '../../data/resources.js';
import { pathTo } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { FormDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import { countText } from '../../parts/format.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/marks.js';
import { nameOf } from './people.js';

/** Where a team is shown. */
function teamHref(teamId: string): string {
  return pathTo('/on-call', { tab: 'teams', team: teamId });
}

/** All teams, with who is on call. */
export function TeamList({ teams }: { teams: readonly Team[] }) {
  const overview = useResource<{ onCall: TeamDuty[] }>('/api/v1/overview');
  const dutyOf = (teamId: string) => overview.data?.onCall.find((duty) => duty.teamId === teamId);
  return (
    <Table
      label="Teams"
      rows={teams}
      rowHref={({ id }) => teamHref(id)}
      columns={[
        {
          label: 'Team',
          cell: ({ name, description }) => (
            <>
              {name}
              {description && <span class="soft small block normal">{description}</span>}
            </>
          ),
        },
        {
          label: 'On call now',
          cell: ({ id }) => {
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
        },
        {
          label: 'Leads',
          from: 768,
          cell: ({ members }) =>
            members
              .filter(({ teamRole }) => teamRole === 'lead')
              .map(nameOf)
              .join(', ') || <span class="state-partial">none</span>,
        },
        { label: 'Members', isNumber: true, cell: ({ members }) => countText(members.length, 'person', 'people') },
      ]}
    />
  );
}

export function NewTeamDialog() {
  const { route } = useLocation();
  return (
    <FormDialog
      title="New team"
      action="Create the team"
      initial={{ name: '', description: '' }}
      onSubmit={async ({ name, description }) => {
        const body = { name, description: description || null };
        const { body: team } = await change<Team>('POST', '/api/v1/teams', { body });
        toast(`${team.name} exists. Add its people and a rotation.`);
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
