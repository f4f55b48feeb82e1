import { show, ask } from '../../parts/dialog.js';
import { useLocation } from 'preact-iso';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { change, useResource } from '../../data/resources.js';
import { hasRole, pathTo } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { EditDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { CalendarFeed } from './calendar-feed.js';
import { RotationSection } from './rotation.js';
import { Schedules } from './schedules.js';
import { Members } from './team-members.js';
import { Escalation, Routing, type RoutedGroup } from './team-routing.js';

const MOST_GROUPS = 200;

/** A team: its people, its rotation, what it is paged for and in which steps. */
export function TeamView({ teamId }: { teamId: string }) {
  const path = `/api/v1/teams/${teamId}`;
  const read = useResource<Team>(path);
  const routed = useResource<RoutedGroup[]>(`${path}/service-groups`, { pageSize: MOST_GROUPS });
  const { route } = useLocation();
  const remove = ({ name }: Team) =>
    ask({
      title: `Delete ${name}`,
      action: 'Delete the team',
      typedName: name,
      consequences: [
        'Its rotation and all overrides are deleted.',
        routed.data?.length
          ? `Incidents of ${routed.data.map((group) => group.name).join(', ')} page it no more.`
          : 'No service group is routed to it.',
        'Links to its calendar end.',
      ],
      onConfirm: async () => {
        await change('DELETE', path, { ifMatch: read.etag });
        toast(`${name} is deleted.`);
        route(pathTo('/on-call', { tab: 'teams' }), true);
      },
    });
  return (
    <Loaded of={read} rows={8}>
      {(team) => (
        <div>
          <header class="section-head">
            <div>
              <a class="small" href={pathTo('/on-call', { tab: 'teams' })}>
                All teams
              </a>
              <h2 class="above-1 below-1 text-l">{team.name}</h2>
              {team.description && <p class="soft">{team.description}</p>}
            </div>
            {hasRole('Admin') && (
              <div class="row">
                <Button text="Rename" icon="edit" onClick={() => show(<Rename team={team} />)} />
                <Button text="Delete" icon="trash" onClick={() => remove(team)} />
              </div>
            )}
          </header>
          {team.planRestricted && (
            <p class="note note-partial below-4">
              The plan has fewer teams than there are: this one is kept, and pages nobody.{' '}
              <a href={pathTo('/settings/plan')}>See what each plan has</a>
            </p>
          )}
          <div class="beside" style={{ '--least': '24rem' }}>
            <Members team={team} />
            <RotationSection team={team} />
            <Schedules team={team} />
            <Routing team={team} routed={routed.data} />
            <Escalation teamId={teamId} routed={routed.data} />
            <CalendarFeed team={team} />
          </div>
        </div>
      )}
    </Loaded>
  );
}

function Rename({ team }: { team: Team }) {
  return (
    <EditDialog
      title={`Rename ${team.name}`}
      method="PATCH"
      path={`/api/v1/teams/${team.id}`}
      pick={({ name, description }: Team) => ({ name, description: description ?? '' })}
      toBody={({ name, description }) => ({ name, description: description || null })}
    >
      {() => (
        <>
          <Field name="name" label="Name" />
          <Field name="description" label="Description (optional)" />
        </>
      )}
    </EditDialog>
  );
}
