import { useState } from 'preact/hooks';
import { change, useResource } from '../../data/resources.js';
import { toast } from '../../frame/toasts.js';
import { Choice, Choices, Labelled, named } from '../../parts/inputs.js';
import { ConfirmDialog, Dialog } from '../../parts/dialog.js';
import { EditDialog, FormDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import { countText } from '../../parts/format.js';
import type { ServiceGroupView } from './views.js';

export const SERVICE_GROUPS_PATH = '/api/v1/service-group';

const fields = () => (
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

const bodyOf = ({ name, hostname }: { name: string; hostname: string }) => ({
  name,
  hostname: hostname.trim() || null,
});

export function CreateDialog() {
  return (
    <FormDialog
      title="New service group"
      action="Create"
      initial={{ name: '', hostname: '' }}
      onSubmit={async (values) => {
        await change('POST', SERVICE_GROUPS_PATH, { body: bodyOf(values) });
        toast(`Created: ${values.name}. Monitors join it by their settings.`);
      }}
    >
      {fields}
    </FormDialog>
  );
}

export function RenameDialog({ id }: { id: string }) {
  return (
    <EditDialog
      title="Service group"
      method="PUT"
      path={`${SERVICE_GROUPS_PATH}/${id}`}
      pick={({ name, hostname }: ServiceGroupView) => ({ name, hostname: hostname ?? '' })}
      toBody={bodyOf}
    >
      {fields}
    </EditDialog>
  );
}

export function MoveDialog({ group }: { group: ServiceGroupView }) {
  const groups = useResource<ServiceGroupView[]>(SERVICE_GROUPS_PATH, { pageSize: 200 });
  const targets = (groups.data ?? []).filter(({ id }) => id !== group.id);
  const [ids, setIds] = useState<string[]>(group.monitors.map(({ id }) => id));
  const [chosen, setChosen] = useState('');
  const targetServiceGroupId = chosen === '' ? targets[0]?.id : chosen;
  if (groups.data !== undefined && targets.length === 0) {
    return (
      <Dialog title="There is no other group">
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
    >
      <Choices label="Monitors" options={named(group.monitors)} values={ids} onChange={setIds} />
      <Labelled label="To">
        <Choice options={named(targets)} value={targetServiceGroupId} onChange={setChosen} />
      </Labelled>
    </ConfirmDialog>
  );
}
