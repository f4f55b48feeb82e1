import { useState } from 'preact/hooks';
import { change } from '../../data/change.js';
import { useResource } from '../../data/use-resource.js';
import { toast } from '../../frame/toasts.js';
import { Choices } from '../../parts/choices.js';
import { ConfirmDialog, Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { countText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { useEdit } from '../../parts/use-edit.js';
import { useForm } from '../../parts/use-form.js';
import type { ServiceGroupView } from './views.js';

export const SERVICE_GROUPS_PATH = '/api/v1/service-group';

function GroupFields() {
  return (
    <>
      <Field name="name" label="Name" placeholder="Shop" />
      <Field
        name="hostname"
        label="Host name"
        placeholder="shop.example"
        hint="Left empty, it is the one that all monitors of the group have."
      />
    </>
  );
}

const bodyOf = ({ name, hostname }: { name: string; hostname: string }) => ({
  name,
  hostname: hostname.trim() || null,
});

export function CreateDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: { name: '', hostname: '' },
    onSubmit: async (values) => {
      await change('POST', SERVICE_GROUPS_PATH, { body: bodyOf(values) });
      toast(`Created: ${values.name}. Monitors join it by their settings.`);
      onClose();
    },
  });
  return (
    <Dialog title="New service group" onClose={onClose}>
      <Form form={form} action="Create" onCancel={onClose}>
        <GroupFields />
      </Form>
    </Dialog>
  );
}

export function EditDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useResource<ServiceGroupView>(`${SERVICE_GROUPS_PATH}/${id}`);
  return (
    <Dialog title="Service group" onClose={onClose}>
      <Loaded of={read} rows={2}>
        {(data) => <EditForm data={data} etag={read.etag} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function EditForm({ data, etag, onClose }: { data: ServiceGroupView; etag: string | null; onClose: () => void }) {
  const { form, conflict } = useEdit({
    method: 'PUT',
    path: `${SERVICE_GROUPS_PATH}/${data.id}`,
    read: { data, etag },
    pick: ({ name, hostname }: ServiceGroupView) => ({ name, hostname: hostname ?? '' }),
    toBody: bodyOf,
    names: { name: 'Name', hostname: 'Host name' },
    onSaved: () => {
      toast('Saved.');
      onClose();
    },
  });
  return (
    <Form form={form} action="Save" conflict={conflict} onCancel={onClose}>
      <GroupFields />
    </Form>
  );
}

export function MoveDialog({ group, onClose }: { group: ServiceGroupView; onClose: () => void }) {
  const groups = useResource<ServiceGroupView[]>(SERVICE_GROUPS_PATH, { pageSize: 200 });
  const targets = (groups.data ?? []).filter(({ id }) => id !== group.id);
  const [ids, setIds] = useState<string[]>(group.monitors.map(({ id }) => id));
  const [chosen, setChosen] = useState('');
  const targetServiceGroupId = chosen === '' ? targets[0]?.id : chosen;
  if (groups.data !== undefined && targets.length === 0) {
    return (
      <Dialog title="There is no other group" onClose={onClose}>
        <p>Create the group that the monitors of {group.name} should move to first.</p>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Move monitors of ${group.name}`}
      action={`Move ${countText(ids.length, 'monitor')}`}
      isDanger={false}
      onConfirm={async () => {
        const body = { monitorIds: ids, targetServiceGroupId };
        await change('POST', `${SERVICE_GROUPS_PATH}/${group.id}/move-monitors`, { body });
        toast(`Moved ${countText(ids.length, 'monitor')}.`);
      }}
      onClose={onClose}
    >
      <Choices
        label="Monitors"
        options={group.monitors.map(({ id, name }) => ({ value: id, label: name }))}
        values={ids}
        onChange={setIds}
      />
      <label class="field">
        <span class="field-label">To</span>
        <select class="input" value={targetServiceGroupId} onChange={(event) => setChosen(event.currentTarget.value)}>
          {targets.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </ConfirmDialog>
  );
}
