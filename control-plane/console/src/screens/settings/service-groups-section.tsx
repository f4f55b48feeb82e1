import { show, ask, ConfirmDialog, Dialog } from '../../parts/dialog.js';
import { useLocation } from 'preact-iso';
import { paramsOf, WHOLE } from '../../data/address.js';
import { change, useResource } from '../../data/resources.js';
import { hasRole, pathTo } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/loaded.js';
import { countText } from '../../parts/format.js';
import { List, usePage, actions, type Columns } from '../../parts/table.js';
import { MoreMenu } from '../../parts/menu.js';
import { Section, Tabs } from '../../parts/section.js';
import { Time } from '../../parts/marks.js';
import type { ServiceGroupView } from './views.js';
import { useState } from 'preact/hooks';
import { Choice, Choices, Labelled, named } from '../../parts/inputs.js';
import { EditDialog, FormDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';

/** Monitors of one service: listed, named, moved, deleted and restored together. */
export function ServiceGroupsSection() {
  const { url } = useLocation();
  const isDeleted = paramsOf(url).get('show') === 'deleted';
  const groups = usePage<ServiceGroupView>(SERVICE_GROUPS_PATH, { isDeleted });
  const create = hasRole('Editor') && (
    <Button text="New group" look="primary" icon="plus" onClick={() => show(<CreateDialog />)} />
  );
  return (
    <Section
      look="stack"
      title="Service groups"
      lead="The monitors of one service. Teams are paged for a group, and status pages show its state as one."
      aside={create}
    >
      <Tabs
        label="Which groups"
        tabs={[
          { href: pathTo('/settings/service-groups'), label: 'Current', isCurrent: !isDeleted },
          { href: pathTo('/settings/service-groups', { show: 'deleted' }), label: 'Deleted', isCurrent: isDeleted },
        ]}
      />
      <List
        of={groups}
        none={
          isDeleted ? (
            <EmptyState icon="trash" title="Nothing to restore">
              A deleted group can be restored with its monitors for 90 days.
            </EmptyState>
          ) : (
            <EmptyState icon="monitors" title="There is no service group yet" action={create}>
              Make one for each service that people know by name.
            </EmptyState>
          )
        }
        label="Service groups"
        columns={isDeleted ? DELETED : columns()}
      />
    </Section>
  );
}

const NAME: Columns<ServiceGroupView> = {
  Name: ({ name, hostname }) => (
    <span class="lines">
      <strong>{name}</strong>
      <span class="soft small">{hostname ?? 'Several hosts'}</span>
    </span>
  ),
};

const CURRENT: Columns<ServiceGroupView> = {
  ...NAME,
  Monitors: {
    width: 'wide',
    cell: ({ monitors }) =>
      monitors.length === 0 ? (
        <span class="soft">None</span>
      ) : (
        <span class="settings-links">
          {monitors.map(({ id: own, name }, index) => (
            <span key={own}>
              {index > 0 && ', '}
              <a href={pathTo(`/monitors/${own}`)}>{name}</a>
            </span>
          ))}
        </span>
      ),
  },
  Teams: { isNumber: true, cell: ({ routedTeamIds }) => routedTeamIds.length },
};

const DELETED: Columns<ServiceGroupView> = {
  ...NAME,
  Monitors: { isNumber: true, cell: ({ monitors }) => monitors.length },
  Restorable: { isNumber: true, cell: ({ purgeAt }) => purgeAt && <Time at={purgeAt} as="moment" before="until " /> },
  ...actions(
    ({ id, name }) =>
      hasRole('Editor') && (
        <Button
          text="Restore"
          icon="refresh"
          onClick={() =>
            void change('POST', `${SERVICE_GROUPS_PATH}/${id}/restore`).then(
              () => toast(`Restored: ${name}. Its monitors are checked at once.`),
              toastFault,
            )
          }
        />
      ),
  ),
};

function columns(): Columns<ServiceGroupView> {
  if (!hasRole('Editor')) return CURRENT;
  const remove = ({ id, name, monitors }: ServiceGroupView) =>
    ask({
      title: `Delete ${name}?`,
      action: 'Delete',
      typedName: name,
      consequences: [
        `${countText(monitors.length, 'monitor')} in it: deleted too, and no longer checked.`,
        'Open incidents of these monitors close.',
        'A monitor that a status page shows on its own goes on, without a group.',
        'All of it can be restored for 90 days.',
      ],
      onConfirm: () => change('DELETE', `${SERVICE_GROUPS_PATH}/${id}`),
    });
  const menu = actions<ServiceGroupView>((group) => (
    <MoreMenu
      label={`Change ${group.name}`}
      items={[
        { label: 'Rename', icon: 'edit', onSelect: () => show(<RenameDialog id={group.id} />) },
        group.monitors.length > 0 && {
          label: 'Move monitors',
          icon: 'right',
          onSelect: () => show(<MoveDialog group={group} />),
        },
        { label: 'Delete', icon: 'trash', isDanger: true, startsGroup: true, onSelect: () => remove(group) },
      ]}
    />
  ));
  return { ...CURRENT, ...menu };
}

const SERVICE_GROUPS_PATH = '/api/v1/service-group';

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

function CreateDialog() {
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

function RenameDialog({ id }: { id: string }) {
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

function MoveDialog({ group }: { group: ServiceGroupView }) {
  const groups = useResource<ServiceGroupView[]>(SERVICE_GROUPS_PATH, WHOLE);
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
      needs={[groups]}
      isReady={ids.length > 0}
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
