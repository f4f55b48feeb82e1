import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ActionGroupView } from '@watchpost/control-plane/capabilities/alerts/action-group-schemas';
import { change } from '../../data/change.js';
import { pathTo } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { Select, Toggle } from '../../parts/choices.js';
import { Field, Form } from '../../parts/form.js';
import { useEdit } from '../../parts/use-edit.js';
import { useForm, type FormModel } from '../../parts/use-form.js';
import { bodyOf, GROUP_TYPES, NEW_GROUP, TYPE_NAMES, valuesOf, type GroupValues } from './group-text.js';
import { SecretDialog } from './secret-dialog.js';

/** Makes a channel. */
export function ChannelForm() {
  const { route } = useLocation();
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const show = (id: string) => route(pathTo('/alerts', { channel: id }), true);
  const form = useForm<GroupValues>({
    initial: NEW_GROUP,
    draft: 'channel:new',
    onSubmit: async (values) => {
      const path = `/api/v1/action-groups/${values.type}`;
      const { body } = await change<ActionGroupView & { secret?: string }>('POST', path, { body: bodyOf(values) });
      toast(`${body.name} exists. Send a test to see that it arrives.`);
      if (body.secret === undefined) show(body.id);
      else setMade({ id: body.id, secret: body.secret });
    },
  });
  return (
    <div class="card card-body alerts-form">
      <h2>New channel</h2>
      <Form form={form} action="Create the channel" onCancel={() => route(pathTo('/alerts'))}>
        <Field name="type" label="Type">
          {(control) => (
            <Select control={control} options={GROUP_TYPES.map((type) => ({ value: type, label: TYPE_NAMES[type] }))} />
          )}
        </Field>
        <Fields form={form} />
      </Form>
      {made && <SecretDialog secret={made.secret} onClose={() => show(made.id)} />}
    </div>
  );
}

/** Changes a channel. */
export function ChannelEditor(props: { group: ActionGroupView; etag: string | null; onDone: () => void }) {
  const { group, etag, onDone } = props;
  const { form, conflict } = useEdit<ActionGroupView, GroupValues>({
    method: 'PUT',
    path: `/api/v1/action-groups/${group.type}/${group.id}`,
    readPath: `/api/v1/action-groups/${group.id}`,
    read: { data: group, etag },
    pick: valuesOf,
    toBody: bodyOf,
    draft: `channel:${group.id}`,
    names: {
      name: 'Name',
      isEnabled: 'Enabled',
      recipients: 'Recipients',
      phoneNumbers: 'Numbers',
      url: 'URL',
      headers: 'Headers',
      webhookUrl: 'Webhook URL',
    },
    onSaved: () => {
      toast('Saved.');
      onDone();
    },
  });
  return (
    <Form form={form} action="Save" conflict={conflict} onCancel={onDone}>
      <Fields form={form} {...('webhookUrl' in group && { masked: group.webhookUrl })} />
    </Form>
  );
}

/** The fields that the type of a channel has. */
function Fields({ form, masked }: { form: FormModel<GroupValues>; masked?: string }) {
  const { type, isEnabled } = form.values.value;
  return (
    <>
      <Field name="name" label="Name" placeholder="On-call engineers" />
      {type === 'email' && (
        <Field
          name="recipients"
          label="Recipients"
          isLong
          placeholder="ops@example.com"
          hint="One a line. Who is no member of the workspace may have to confirm first by a link."
        />
      )}
      {type === 'sms' && (
        <Field
          name="phoneNumbers"
          label="Numbers"
          isLong
          placeholder="+353 87 123 4567"
          hint="One a line, with the country code. A number may have to be confirmed first by a code."
        />
      )}
      {type === 'webhook' && (
        <>
          <Field name="url" label="URL" type="url" placeholder="https://hooks.example.com/watchpost" />
          <Field
            name="headers"
            label="Headers (optional)"
            isLong
            placeholder="Authorization: Bearer …"
            hint="One a line, as Name: value. Secret values are shown as *** and stay as they are."
          />
        </>
      )}
      {(type === 'slack' || type === 'teams') && (
        <Field
          name="webhookUrl"
          label="Webhook URL"
          type="url"
          placeholder={masked ?? (type === 'slack' ? 'https://hooks.slack.com/services/…' : 'https://….office.com/…')}
          hint={
            masked !== undefined
              ? `Now ${masked}. Leave it empty to keep it.`
              : type === 'slack'
                ? 'In Slack: Apps, Incoming Webhooks, Add to Slack. It is stored encrypted.'
                : 'In Teams: the channel, Workflows, Post to a channel when a webhook request is received. It is stored encrypted.'
          }
        />
      )}
      <Toggle
        label="Enabled"
        hint="While it is off, nothing is sent."
        isOn={isEnabled}
        onChange={(isOn) => form.set('isEnabled', isOn)}
      />
    </>
  );
}
