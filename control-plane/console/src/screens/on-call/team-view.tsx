import { show } from '../../parts/dialog.js';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { WHOLE } from '../../data/address.js';
import { areRead, useResource } from '../../data/resources.js';
import { hasRole, pathTo } from '../../data/session.js';
import { Button } from '../../parts/button.js';
import { EditDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { useDelete } from '../../parts/use-delete.js';
import { CalendarFeed } from './calendar-feed.js';
import { PlanNote } from './part-head.js';
import { Policies } from './policies.js';
import { PolicyView } from './policy-view.js';
import { ScheduleView } from './schedule-view.js';
import { Schedules } from './schedules.js';
import { Members } from './team-members.js';
import { Routing, type RoutedGroup } from './team-routing.js';

interface TeamProps {
  teamId: string;
  /** One of these, if any, is shown in place of the team. */
  scheduleId: string;
  policyId: string;
}

/** A team: its people, its schedules, what it is paged for and in which steps. */
export function TeamView({ teamId, scheduleId, policyId }: TeamProps) {
  const path = `/api/v1/teams/${teamId}`;
  const read = useResource<Team>(path);
  const routed = useResource<RoutedGroup[]>(`${path}/service-groups`, WHOLE);
  const askToDelete = useDelete();
  const remove = ({ name }: Team) =>
    askToDelete({
      name,
      path,
      etag: read.etag,
      back: pathTo('/on-call', { tab: 'teams' }),
      typedName: name,
      consequences: [
        'Its schedules and all overrides are deleted.',
        routed.data?.length
          ? `Incidents of ${routed.data.map((group) => group.name).join(', ')} page it no more.`
          : 'No service group is routed to it.',
        'Links to its calendar end.',
      ],
    });
  return (
    <Loaded of={read} rows={8}>
      {(team) =>
        scheduleId !== '' ? (
          <ScheduleView key={scheduleId} team={team} scheduleId={scheduleId} />
        ) : policyId !== '' ? (
          <PolicyView key={policyId} team={team} policyId={policyId} />
        ) : (
          <div>
            <header class="section-head">
              <div>
                <a class="small" href={pathTo('/on-call', { tab: 'teams' })}>
                  All teams
                </a>
                <h2 class="above-1 below-1">{team.name}</h2>
                {team.description && <p class="soft">{team.description}</p>}
              </div>
              {hasRole('Admin') && (
                <div class="row">
                  <Button text="Rename" icon="edit" onClick={() => show(<Rename team={team} />)} />
                  <Button text="Delete" icon="trash" disabled={!areRead([routed])} onClick={() => remove(team)} />
                </div>
              )}
            </header>
            {team.planRestricted && (
              <PlanNote>The plan has fewer teams than there are: this one is kept, and pages nobody.</PlanNote>
            )}
            <div class="beside" style={{ '--least': '24rem' }}>
              <Members team={team} />
              <Schedules team={team} />
              <Policies team={team} />
              <Routing team={team} routed={routed} />
              <CalendarFeed team={team} />
            </div>
          </div>
        )
      }
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
