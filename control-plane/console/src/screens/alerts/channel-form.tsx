import { useLocation } from 'preact-iso';
import { useRef } from 'preact/hooks';
import type {
  ActionGroupView,
  ChannelView,
} from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import { faultOfField } from '../../data/api-fault.js';
import { change } from '../../data/resources.js';
import { pathTo } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { EditDialog } from '../../parts/edit-form.js';
import { Field, Form, Switch } from '../../parts/form.js';
import { MonitorsInput, TagsInput } from '../../parts/pickers.js';
import { useFocus } from '../../parts/use-focus.js';
import { type FormModel, useForm } from '../../parts/use-form.js';
import { ChannelMark } from './channel-mark.js';
import { bodyOf, fieldsAsked, type GroupValues, isSecretOf, newValues, valuesOf } from './group-text.js';
import { RulesFields } from './rules-fields.js';
import { useChannels } from './use-channels.js';
import { CopyButton, ReadOnly, Button } from '../../parts/button.js';
import { Dialog, show, useClose } from '../../parts/dialog.js';

interface ChannelFormProps {
  channel: ChannelView;
  onMade: (id: string) => void;
}

export function ChannelForm({ channel, onMade }: ChannelFormProps) {
  const { route } = useLocation();
  const { type, madeWithMonitor } = channel;
  const name = useChannels().nameOf(type);
  const own = useRef<HTMLDivElement>(null);
  useFocus(() => own.current?.querySelector<HTMLElement>('form .input')?.focus());
  const form = useForm<GroupValues>({
    initial: newValues(type, name, channel),
    draft: `channel:new:${type}`,
    isSecret: isSecretOf(channel),
    onSubmit: async (values) => {
      const { reach, attachTo, monitorIds } = values;
      if (reach === 'tags' && attachTo.tags.length === 0) throw faultOfField('attachTo.tags', 'must name a tag');
      if (madeWithMonitor && monitorIds.length === 0)
        throw faultOfField('monitorIds', 'must name a monitor of which it notifies');
      const [first, ...others] = madeWithMonitor ? monitorIds : [undefined, ...(reach === 'these' ? monitorIds : [])];
      const path =
        first === undefined ? `/api/v1/action-groups/${type}` : `/api/v1/monitor/${first}/${type}-action-group`;
      const { body } = await change<ActionGroupView & { secret?: string }>('POST', path, {
        body: bodyOf(values, channel),
      });
      for (const monitorId of others)
        await change('POST', `/api/v1/action-groups/${body.id}/monitors/${monitorId}`).catch(toastFault);
      toast(`Channel “${body.name}” created.`);
      if (body.secret === undefined) onMade(body.id);
      else show(<SecretDialog secret={body.secret} onClose={() => onMade(body.id)} />);
    },
  });
  return (
    <div ref={own} class="card card-body stack max-40">
      <header>
        <a class="small" href={pathTo('/alerts', { channel: 'new' })}>
          All channels
        </a>
        <h2 class="flex center gap-2 above-1">
          <ChannelMark of={channel} /> {name}
        </h2>
      </header>
      <Form form={form} action="Create and send a test" onCancel={() => route(pathTo('/alerts'))}>
        <Fields channel={channel} form={form} />
      </Form>
    </div>
  );
}

export function ChannelEditor({ group, channel }: { group: ActionGroupView; channel: ChannelView }) {
  return (
    <EditDialog
      title={`Edit ${group.name}`}
      method="PUT"
      path={`/api/v1/action-groups/${group.type}/${group.id}`}
      readPath={`/api/v1/action-groups/${group.id}`}
      pick={(shown: ActionGroupView) => valuesOf(shown, channel)}
      toBody={(values) => bodyOf(values, channel)}
      draft={`channel:${group.id}`}
      isSecret={isSecretOf(channel)}
    >
      {(form) => <Fields channel={channel} form={form} group={group} />}
    </EditDialog>
  );
}

interface FieldsProps {
  channel: ChannelView;
  form: FormModel<GroupValues>;
  group?: ActionGroupView;
}

function Fields({ channel, form, group }: FieldsProps) {
  const { way } = form.values.value;
  const titles = new Map(channel.fields.map(({ name, title }) => [name, title]));
  return (
    <>
      <Field name="name" label="Name" />
      {channel.alternatives.length > 1 && (
        <Field
          name="way"
          label="Connect by"
          options={channel.alternatives.map((names, at) => ({
            value: String(at),
            label: names.map((one) => titles.get(one)).join(' + '),
          }))}
        />
      )}
      {fieldsAsked(channel, way).map(({ name, title, kind, required, secret, example, help }) => (
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
              : (group?.[name] ?? null) !== null
                ? `Now ${String(group![name])}. Leave it empty to keep it.`
                : `${help} It is stored encrypted.`
          }
        />
      ))}
      <Reach channel={channel} form={form} isNew={group === undefined} />
      <RulesFields form={form} channel={channel.type} />
      <Switch name="isEnabled" label="Enabled" hint="While it is off, nothing is sent." />
    </>
  );
}

const REACHES = [
  { value: 'all', label: 'All monitors, also new ones' },
  { value: 'tags', label: 'Monitors with one of these tags' },
  { value: 'these', label: 'These monitors' },
];

/** For which monitors a channel is. Those of one that exists are chosen on its page. */
function Reach({ channel, form, isNew }: { channel: ChannelView; form: FormModel<GroupValues>; isNew: boolean }) {
  const { reach } = form.values.value;
  const isMadeWithMonitor = isNew && channel.madeWithMonitor;
  return (
    <>
      {!isMadeWithMonitor && <Field name="reach" label="For which monitors" options={REACHES} />}
      {reach === 'tags' && (
        <Field name="attachTo.tags" label="Tags">
          {(control) => <TagsInput control={control} placeholder="team:web" />}
        </Field>
      )}
      {reach === 'these' && isNew && (
        <Field name="monitorIds" label="Monitors" hint="It notifies of these. Others can be attached later.">
          {(control) => <MonitorsInput control={control} />}
        </Field>
      )}
    </>
  );
}

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
