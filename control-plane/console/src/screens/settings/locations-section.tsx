import { WHOLE } from '../../data/address.js';
import { change, useResource } from '../../data/resources.js';
import { hasRole } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { ask, show } from '../../parts/dialog.js';
import { EditDialog, FormDialog } from '../../parts/edit-form.js';
import { Field, FieldGroup } from '../../parts/form.js';
import { Checks, named } from '../../parts/inputs.js';
import { PairsInput } from '../../parts/pairs-input.js';
import { EmptyState, Unread } from '../../parts/loaded.js';
import { MoreMenu } from '../../parts/menu.js';
import { Chips, Section } from '../../parts/section.js';
import { actions, List, usePage } from '../../parts/table.js';
import type { FormModel } from '../../parts/use-form.js';
import { LocationAgents, NewAgentDialog } from './location-agents.js';
import type { ActionGroupView, LocationView } from './views.js';

const LOCATIONS_PATH = '/api/v1/private-locations';

export function LocationsSection() {
  const locations = usePage<LocationView>(LOCATIONS_PATH);
  const create = hasRole('Admin') && (
    <Button text="New location" look="primary" icon="plus" onClick={() => show(<CreateDialog />)} />
  );
  return (
    <Section
      look="stack"
      title="Private locations"
      lead="Agents of yours inside your own network. They connect to this service, which never connects to them."
      aside={create}
    >
      <List
        of={locations}
        none={
          <EmptyState icon="regions" title="There is no private location yet" action={create}>
            Make one to check what cannot be reached from outside.
          </EmptyState>
        }
        label="Private locations"
        columns={{
          Name: ({ name, slug }) => (
            <span class="lines">
              <strong>{name}</strong>
              <code class="soft small">private:{slug}</code>
            </span>
          ),
          Reaches: ({ allowCidrs }) =>
            allowCidrs.length === 0 ? <span class="soft">Public addresses</span> : <Chips values={allowCidrs} />,
          Agents: { width: 'wide', cell: ({ id }) => <LocationAgents locationId={id} /> },
          ...(hasRole('Admin') &&
            actions<LocationView>((location) => (
              <MoreMenu
                label={`Change ${location.name}`}
                items={[
                  {
                    label: 'Add an agent',
                    icon: 'plus',
                    onSelect: () => show(<NewAgentDialog locationId={location.id} />),
                  },
                  { label: 'Edit', icon: 'edit', onSelect: () => show(<ChangeDialog id={location.id} />) },
                  {
                    label: 'Delete',
                    icon: 'trash',
                    isDanger: true,
                    startsGroup: true,
                    onSelect: () => remove(location),
                  },
                ]}
              />
            ))),
        }}
      />
    </Section>
  );
}

function remove({ id, name }: LocationView) {
  ask({
    title: `Delete ${name}?`,
    action: 'Delete',
    typedName: name,
    consequences: ['Its agents are revoked and check nothing any more.', 'Results and incidents go on naming it.'],
    onConfirm: () => change('DELETE', `${LOCATIONS_PATH}/${id}`).then(() => toast(`Deleted: ${name}`)),
  });
}

interface Values {
  name: string;
  slug: string;
  allowCidrs: string;
  denyCidrs: string;
  labels: LocationView['labels'];
  reachability: LocationView['reachability'];
  notifyActionGroupIds: string[];
}

const rangesOf = (text: string) => text.split(/[\s,]+/).filter((range) => range !== '');

const bodyOf = ({ allowCidrs, denyCidrs, ...values }: Values) => ({
  ...values,
  allowCidrs: rangesOf(allowCidrs),
  denyCidrs: rangesOf(denyCidrs),
});

const REACHABILITIES = [
  { value: 'advisory', label: 'Make a monitor partly down at most' },
  { value: 'voting', label: 'Count as those of a region' },
] as const;

function CreateDialog() {
  return (
    <FormDialog<Values>
      title="New private location"
      action="Create"
      initial={{
        name: '',
        slug: '',
        allowCidrs: '',
        denyCidrs: '',
        labels: {},
        reachability: 'advisory',
        notifyActionGroupIds: [],
      }}
      draft="private-location"
      onSubmit={async (values) => {
        const { body } = await change<LocationView>('POST', LOCATIONS_PATH, { body: bodyOf(values) });
        show(<NewAgentDialog locationId={body.id} />);
      }}
    >
      {(form) => <Fields form={form} />}
    </FormDialog>
  );
}

function ChangeDialog({ id }: { id: string }) {
  return (
    <EditDialog
      title="Private location"
      method="PUT"
      path={`${LOCATIONS_PATH}/${id}`}
      pick={(location: LocationView): Values => ({
        name: location.name,
        slug: location.slug,
        allowCidrs: location.allowCidrs.join('\n'),
        denyCidrs: location.denyCidrs.join('\n'),
        labels: location.labels,
        reachability: location.reachability,
        notifyActionGroupIds: location.notifyActionGroupIds,
      })}
      toBody={bodyOf}
    >
      {(form) => <Fields form={form} />}
    </EditDialog>
  );
}

function Fields({ form }: { form: FormModel<Values> }) {
  const groups = useResource<ActionGroupView[]>('/api/v1/action-groups', WHOLE);
  return (
    <>
      <Field name="name" label="Name" placeholder="Office in Dublin" />
      <Field name="slug" label="Slug" placeholder="office" hint="Results name it private: and this." />
      <Field
        name="allowCidrs"
        label="What its agents may reach"
        isLong
        placeholder="10.20.0.0/16"
        hint="Ranges of addresses, one a line, and nothing else. Left empty: public addresses."
      />
      <Field name="denyCidrs" label="What they may never reach" isLong hint="Ranges within those." />
      <Field name="reachability" label="Its failures" options={REACHABILITIES} />
      <FieldGroup name="labels" label="Labels" hint="Texts of your own, such as the site or the network.">
        <PairsInput
          pairs={form.values.value.labels}
          onChange={(labels) => form.set('labels', labels)}
          noun="label"
          placeholder="site"
          initial=""
        >
          {(value, set, label) => (
            <input class="input" aria-label={label} value={value} onInput={(event) => set(event.currentTarget.value)} />
          )}
        </PairsInput>
      </FieldGroup>
      <FieldGroup name="notifyActionGroupIds" label="Notify when nothing is known from there">
        <Unread needs={[groups]} />
        {groups.data?.length === 0 ? (
          <p class="soft">There is no channel yet.</p>
        ) : (
          <Checks
            options={named(groups.data)}
            values={form.values.value.notifyActionGroupIds}
            onChange={(ids) => form.set('notifyActionGroupIds', ids)}
          />
        )}
      </FieldGroup>
    </>
  );
}
