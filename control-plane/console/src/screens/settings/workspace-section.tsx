import type { WorkspaceView } from './views.js';
import type { ActionGroupView } from './views.js';
import { hasRole, workspaceId, workspaces } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { toast } from '../../frame/toasts.js';
import { Choices, Select, Toggle } from '../../parts/choices.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { TimeZoneInput } from '../../parts/time-zone-input.js';
import { useEdit } from '../../parts/use-edit.js';
import { Facts, Section } from './section.js';
import { WorkspaceActions } from './workspace-actions.js';

const QUORUMS = [
  { value: 'any', label: 'Any region fails' },
  { value: 'majority', label: 'More than half of the regions fail' },
  { value: 'all', label: 'All regions fail' },
] as const;
const NAMES = {
  name: 'Name',
  'settings.timezone': 'Time zone',
  'settings.incidentQuorum': 'An incident opens when',
  'settings.autoCloseIncidents': 'Close incidents',
  'settings.defaultActionGroupIds': 'Default action groups',
};

/** Name and settings of the workspace, and what ends it. */
export function WorkspaceSection() {
  const read = useResource<WorkspaceView>(`/api/v1/workspaces/${workspaceId.value}`);
  return (
    <Loaded of={read} rows={6}>
      {(data) => (
        <>
          <Section title="General" {...(!hasRole('Admin') && { lead: 'Admins change these settings.' })}>
            {hasRole('Admin') ? <WorkspaceForm data={data} etag={read.etag} /> : <WorkspaceFacts data={data} />}
          </Section>
          <WorkspaceActions workspace={data} />
        </>
      )}
    </Loaded>
  );
}

function WorkspaceForm({ data, etag }: { data: WorkspaceView; etag: string | null }) {
  const groups = useResource<ActionGroupView[]>('/api/v1/action-groups', { pageSize: 200 });
  const { form, conflict } = useEdit({
    method: 'PATCH',
    path: `/api/v1/workspaces/${data.id}`,
    read: { data, etag },
    pick: ({ name, settings }: WorkspaceView) => ({ name, settings }),
    draft: `workspace:${data.id}`,
    names: NAMES,
    onSaved: ({ id, name }) => {
      workspaces.value = workspaces.peek().map((each) => (each.id === id ? { ...each, name } : each));
      toast('Saved.');
    },
  });
  return (
    <div class="card card-body settings-form">
      <Form form={form} action="Save" conflict={conflict}>
        <Field name="name" label={NAMES.name} />
        <Field
          name="settings.timezone"
          label={NAMES['settings.timezone']}
          hint="Days of reports begin at midnight there."
        >
          {(control) => <TimeZoneInput control={control} />}
        </Field>
        <Field
          name="settings.incidentQuorum"
          label={NAMES['settings.incidentQuorum']}
          hint="Of the regions that report. It also holds for the incidents that are open now."
        >
          {(control) => <Select control={control} options={QUORUMS} />}
        </Field>
        <Toggle
          label="Close an incident once its monitor has recovered"
          hint="Otherwise somebody closes it."
          isOn={form.get('settings.autoCloseIncidents') === true}
          onChange={(isOn) => form.set('settings.autoCloseIncidents', isOn)}
        />
        {groups.data !== undefined && groups.data.length > 0 && (
          <Choices
            label="A new monitor alerts these action groups"
            options={groups.data.map(({ id, name, type }) => ({ value: id, label: `${name} (${type})` }))}
            values={form.values.value.settings.defaultActionGroupIds}
            onChange={(ids) => form.set('settings.defaultActionGroupIds', ids)}
          />
        )}
      </Form>
    </div>
  );
}

function WorkspaceFacts({ data: { name, settings } }: { data: WorkspaceView }) {
  return (
    <Facts
      rows={[
        [NAMES.name, name],
        [NAMES['settings.timezone'], settings.timezone],
        [
          NAMES['settings.incidentQuorum'],
          QUORUMS.find(({ value }) => value === settings.incidentQuorum)?.label ?? settings.incidentQuorum,
        ],
        [NAMES['settings.autoCloseIncidents'], settings.autoCloseIncidents ? 'Once recovered' : 'By hand'],
      ]}
    />
  );
}
