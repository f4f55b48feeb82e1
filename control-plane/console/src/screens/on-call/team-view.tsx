import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { change } from '../../data/change.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog, Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { useEdit } from '../../parts/use-edit.js';
import { CalendarFeed } from './calendar-feed.js';
import { RotationSection } from './rotation.js';
import { Members } from './team-members.js';
import { Escalation, Routing, type RoutedGroup } from './team-routing.js';

const MOST_GROUPS = 200;

/** A team: its people, its rotation, what it is paged for and in which steps. */
export function TeamView({ teamId }: { teamId: string }) {
  const read = useResource<Team>(`/api/v1/teams/${teamId}`);
  const routed = useResource<RoutedGroup[]>(`/api/v1/teams/${teamId}/service-groups`, { pageSize: MOST_GROUPS });
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const { route } = useLocation();
  return (
    <Loaded of={read} rows={8}>
      {(team) => (
        <div class="oncall-team-view">
          <header class="section-head">
            <div>
              <a class="small" href={pathTo('/on-call', { tab: 'teams' })}>
                All teams
              </a>
              <h2 class="oncall-team-name">{team.name}</h2>
              {team.description && <p class="soft">{team.description}</p>}
            </div>
            {hasRole('Admin') && (
              <div class="row">
                <Button icon="edit" onClick={() => setOpen('rename')}>
                  Rename
                </Button>
                <Button icon="trash" onClick={() => setOpen('delete')}>
                  Delete
                </Button>
              </div>
            )}
          </header>
          {team.planRestricted && (
            <p class="note note-partial">
              The plan has fewer teams than there are: this one is kept, and pages nobody.{' '}
              <a href={pathTo('/settings/plan')}>See what each plan has</a>
            </p>
          )}
          <div class="oncall-columns">
            <Members team={team} />
            <RotationSection team={team} />
            <Routing team={team} routed={routed.data} />
            <Escalation teamId={teamId} routed={routed.data} />
            <CalendarFeed team={team} />
          </div>
          {open === 'rename' && <RenameDialog team={team} etag={read.etag} onClose={() => setOpen(undefined)} />}
          {open === 'delete' && (
            <ConfirmDialog
              title={`Delete ${team.name}`}
              action="Delete the team"
              typedName={team.name}
              consequences={[
                'Its rotation and all overrides are deleted.',
                routed.data?.length
                  ? `Incidents of ${routed.data.map(({ name }) => name).join(', ')} page it no more.`
                  : 'No service group is routed to it.',
                'Links to its calendar end.',
              ]}
              onConfirm={async () => {
                await change('DELETE', `/api/v1/teams/${teamId}`, { ifMatch: read.etag });
                toast(`${team.name} is deleted.`);
                route(pathTo('/on-call', { tab: 'teams' }), true);
              }}
              onClose={() => setOpen(undefined)}
            />
          )}
        </div>
      )}
    </Loaded>
  );
}

function RenameDialog({ team, etag, onClose }: { team: Team; etag: string | null; onClose: () => void }) {
  const { form, conflict } = useEdit({
    method: 'PATCH',
    path: `/api/v1/teams/${team.id}`,
    read: { data: team, etag },
    pick: ({ name, description }: Team) => ({ name, description: description ?? '' }),
    toBody: ({ name, description }) => ({ name, description: description || null }),
    names: { name: 'Name', description: 'Description' },
    onSaved: () => {
      toast('Saved.');
      onClose();
    },
  });
  return (
    <Dialog title={`Rename ${team.name}`} onClose={onClose}>
      <Form form={form} action="Save" conflict={conflict} onCancel={onClose}>
        <Field name="name" label="Name" />
        <Field name="description" label="Description (optional)" />
      </Form>
    </Dialog>
  );
}
