import { useLocation } from 'preact-iso';
import type {
  ActionGroupView,
  ChannelFieldView,
} from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import { faultOfField } from '../../data/api-fault.js';
import { change } from '../../data/resources.js';
import { pathTo } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { EditDialog } from '../../parts/edit-form.js';
import { Field, Form, Switch } from '../../parts/form.js';
import { MonitorsInput } from '../../parts/pickers.js';
import { useForm } from '../../parts/use-form.js';
import { bodyOf, NEW_GROUP, valuesOf, type GroupValues } from './group-text.js';
import { useChannels } from './use-channels.js';
import { CopyButton, ReadOnly, Button } from '../../parts/button.js';
import { Dialog, show, useClose } from '../../parts/dialog.js';

/** Makes a channel. */
export function ChannelForm() {
  const { route } = useLocation();
  const channels = useChannels();
  const open = (id: string) => route(pathTo('/alerts', { channel: id }), true);
  const form = useForm<GroupValues>({
    initial: NEW_GROUP,
    draft: 'channel:new',
    onSubmit: async (values) => {
      const channel = channels.of(values.type);
      const [first, ...others] = channel?.madeWithMonitor ? (values.monitorIds ?? []) : [];
      if (channel?.madeWithMonitor && first === undefined)
        throw faultOfField('monitorIds', 'must name a monitor of which it notifies');
      const path =
        first === undefined
          ? `/api/v1/action-groups/${values.type}`
          : `/api/v1/monitor/${first}/${values.type}-action-group`;
      const { body } = await change<ActionGroupView & { secret?: string }>('POST', path, {
        body: bodyOf(values, channel?.fields ?? []),
      });
      for (const monitorId of others)
        await change('POST', `/api/v1/action-groups/${body.id}/monitors/${monitorId}`).catch(toastFault);
      toast(`Channel “${body.name}” created. Send a test to see that it arrives.`);
      if (body.secret === undefined) open(body.id);
      else show(<SecretDialog secret={body.secret} onClose={() => open(body.id)} />);
    },
  });
  return (
    <div class="card card-body stack max-40">
      <h2>New channel</h2>
      <Form form={form} action="Create the channel" onCancel={() => route(pathTo('/alerts'))}>
        <Field name="type" label="Type" options={channels.options} />
        <Fields fields={channels.of(form.values.value.type)?.fields ?? []} />
        {channels.of(form.values.value.type)?.madeWithMonitor && (
          <Field name="monitorIds" label="Monitors" hint="It notifies of these. Others can be attached later.">
            {(control) => <MonitorsInput control={control} />}
          </Field>
        )}
      </Form>
    </div>
  );
}

/** Changes a channel. */
export function ChannelEditor({ group, fields }: { group: ActionGroupView; fields: readonly ChannelFieldView[] }) {
  return (
    <EditDialog
      title={`Edit ${group.name}`}
      method="PUT"
      path={`/api/v1/action-groups/${group.type}/${group.id}`}
      readPath={`/api/v1/action-groups/${group.id}`}
      pick={(shown: ActionGroupView) => valuesOf(shown, fields)}
      toBody={(values) => bodyOf(values, fields)}
      draft={`channel:${group.id}`}
    >
      {() => <Fields fields={fields} group={group} />}
    </EditDialog>
  );
}

/** The fields of a channel. @param group the group that is changed */
function Fields({ fields, group }: { fields: readonly ChannelFieldView[]; group?: ActionGroupView }) {
  return (
    <>
      <Field name="name" label="Name" placeholder="On-call engineers" />
      {fields.map(({ name, title, kind, required, secret, example, help }) => (
        <Field
          key={name}
          name={name}
          label={required ? title : `${title} (optional)`}
          isLong={['emails', 'phones', 'headers'].includes(kind)}
          {...((kind === 'url' || kind === 'secretUrl') && { type: 'url' })}
          placeholder={example}
          hint={
            !secret
              ? help
              : group
                ? `Now ${String(group[name])}. Leave it empty to keep it.`
                : `${help} It is stored encrypted.`
          }
        />
      ))}
      <Switch name="isEnabled" label="Enabled" hint="While it is off, nothing is sent." />
    </>
  );
}

/** The signing secret of a webhook, which is shown once. */
export function SecretDialog(props: { secret: string; isRotated?: boolean; onClose?: () => void }) {
  const { secret, isRotated = false, onClose } = props;
  const close = useClose();
  const leave = () => {
    close();
    onClose?.();
  };
  return (
    <Dialog title="Signing secret" {...(onClose && { onClose })}>
      <p>
        Messages are signed with it (Standard Webhooks), so that your receiver can be sure of who sent them. It is shown
        only now: keep it.
      </p>
      {isRotated && <p>The former secret signs them too for 24 hours, so that you can switch.</p>}
      <ReadOnly label="Signing secret" value={secret} />
      <div class="row">
        <CopyButton text={secret} label="Copy the secret" />
        <Button text="I have kept it" look="primary" onClick={leave} />
      </div>
    </Dialog>
  );
}
