import { WHOLE } from '../../data/address.js';
import { first, hasRole, workspaceId, workspaces } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { Choice, Choices } from '../../parts/inputs.js';
import { EditForm } from '../../parts/edit-form.js';
import { Facts, Section } from '../../parts/section.js';
import { Field, FieldGroup, Switch, ZoneField } from '../../parts/form.js';
import { Loaded, Unread } from '../../parts/loaded.js';
import { PairsInput } from '../../parts/pairs-input.js';
import { GIVEN_ROLES } from './settings-parts.js';
import type { ActionGroupView, WorkspaceView } from './views.js';
import { WorkspaceActions } from './workspace-actions.js';

const QUORUMS = [
  { value: 'any', label: 'Any region fails' },
  { value: 'majority', label: 'More than half of the regions fail' },
  { value: 'all', label: 'All regions fail' },
] as const;

export function WorkspaceSection() {
  const read = useResource<WorkspaceView>(`/api/v1/workspaces/${workspaceId.value}`);
  return (
    <Loaded of={read} rows={6}>
      {(data) => (
        <>
          <Section look="stack" title="General" lead={!hasRole('Admin') && 'Admins change these settings.'}>
            {hasRole('Admin') ? <WorkspaceForm id={data.id} /> : <WorkspaceFacts data={data} />}
          </Section>
          <WorkspaceActions workspace={data} />
        </>
      )}
    </Loaded>
  );
}

function WorkspaceForm({ id }: { id: string }) {
  const groups = useResource<ActionGroupView[]>('/api/v1/action-groups', WHOLE);
  return (
    <div class="card card-body max-44">
      <EditForm
        method="PATCH"
        path={`/api/v1/workspaces/${id}`}
        pick={({ name, settings }: WorkspaceView) => ({ name, settings })}
        toBody={withRemovedRoles}
        draft={`workspace:${id}`}
        names={{
          'settings.autoCloseIncidents': 'Close incidents',
          'settings.defaultActionGroupIds': 'Default channels',
        }}
        onSaved={({ name }) => {
          workspaces.value = workspaces.peek().map((each) => (each.id === id ? { ...each, name } : each));
        }}
      >
        {(form) => (
          <>
            <Field name="name" label="Name" />
            <ZoneField name="settings.timezone" hint="Days of reports begin at midnight there." />
            <Field
              name="settings.incidentQuorum"
              label="An incident opens when"
              hint="Of the regions that report. It also holds for the incidents that are open now."
              options={QUORUMS}
            />
            <Switch
              name="settings.autoCloseIncidents"
              label="Close an incident once its monitor has recovered"
              hint="Otherwise somebody closes it."
            />
            {first!.roleClaim !== null && (
              <FieldGroup
                name="settings.roleMapping"
                label={`Roles by the claim ${first!.roleClaim}`}
                hint="Who signs in with one of these values joins with its role, the highest of several, and leaves once none matches. It is so for everybody of the sign-in provider who has the value."
              >
                <PairsInput
                  pairs={form.values.value.settings.roleMapping}
                  onChange={(roles) => form.set('settings.roleMapping', roles)}
                  noun="value"
                  placeholder="shop-on-call"
                  initial="Viewer"
                >
                  {(role, set, label) => <Choice options={GIVEN_ROLES} label={label} value={role} onChange={set} />}
                </PairsInput>
              </FieldGroup>
            )}
            <Unread needs={[groups]} />
            {groups.data !== undefined && groups.data.length > 0 && (
              <Choices
                label="A new monitor alerts these channels"
                options={groups.data.map((group) => ({ value: group.id, label: `${group.name} (${group.type})` }))}
                values={form.values.value.settings.defaultActionGroupIds}
                onChange={(ids) => form.set('settings.defaultActionGroupIds', ids)}
              />
            )}
          </>
        )}
      </EditForm>
    </div>
  );
}

type Values = Pick<WorkspaceView, 'name' | 'settings'>;

/** In a merge patch, null removes what is left out. */
function withRemovedRoles({ name, settings }: Values, ground: Values): object {
  const removed = Object.fromEntries(Object.keys(ground.settings.roleMapping).map((value) => [value, null]));
  return { name, settings: { ...settings, roleMapping: { ...removed, ...settings.roleMapping } } };
}

function WorkspaceFacts({ data: { name, settings } }: { data: WorkspaceView }) {
  const quorum = QUORUMS.find(({ value }) => value === settings.incidentQuorum);
  return (
    <Facts
      look="lines card card-body"
      facts={[
        ['Name', name],
        ['Time zone', settings.timezone],
        ['An incident opens when', quorum?.label ?? settings.incidentQuorum],
        ['Close incidents', settings.autoCloseIncidents ? 'Once recovered' : 'By hand'],
      ]}
    />
  );
}
