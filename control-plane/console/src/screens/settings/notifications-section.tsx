import { useState } from 'preact/hooks';
import { change, useResource } from '../../data/resources.js';
import { workspace, workspaceId } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { AddButton, Button } from '../../parts/button.js';
import { DurationInput, Toggle } from '../../parts/inputs.js';
import { EditForm } from '../../parts/edit-form.js';
import { Field, Form, Switch, OWN_ZONE, ZoneField } from '../../parts/form.js';
import { Section } from '../../parts/section.js';
import { ForceToggle } from '../../parts/unreachable.js';
import { useForm, type FormModel } from '../../parts/use-form.js';
import { ChatAccounts, ContactMethods } from './own-accounts.js';
import type { CurrentNumber, MemberView } from './views.js';

const OF = 'notificationPreferences';
/** The services by which a page arrives, in the order of how loud they are. */
const CHANNELS = [
  { value: 'email', label: 'Email' },
  { value: 'telegram', label: 'Telegram' },
  { value: 'ntfy', label: 'ntfy' },
  { value: 'pushover', label: 'Pushover' },
  { value: 'sms', label: 'SMS' },
  { value: 'voice', label: 'Call' },
];
type Rules = NonNullable<MemberView['notificationPreferences']['rules']>;
const FIRST_RULES: Rules = [{ after: 'PT0S', channel: 'email' }];
const MOST_RULES = 10;
const NIGHT = { start: '22:00', end: '07:00', timezone: OWN_ZONE };

export function NotificationsSection() {
  const path = `/api/v1/workspaces/${workspaceId.value}/members/me`;
  const { data } = useResource<MemberView>(path);
  const [isForced, setForced] = useState(false);
  return (
    <Section
      look="stack"
      title="Notifications"
      lead={`How ${workspace.value?.name ?? 'this workspace'} reaches you. Other workspaces have their own settings.`}
    >
      <div class="card card-body max-44">
        <EditForm
          method="PATCH"
          path={`${path}?force=${isForced}`}
          readPath={path}
          rows={5}
          pick={({ notificationPreferences: all }: MemberView) => ({
            notificationPreferences: { ...all, phoneNumber: all.phoneNumber ?? '' },
          })}
          toBody={({ notificationPreferences: { phoneNumber, ...rest } }) => ({
            notificationPreferences: { ...rest, phoneNumber: phoneNumber.replace(/[\s()-]/g, '') || null },
          })}
          draft={`notifications:${workspaceId.value}`}
          names={{ [`${OF}.email`]: 'By email', [`${OF}.sms`]: 'By SMS', [`${OF}.quietHours`]: 'Quiet hours' }}
        >
          {(form) => {
            const { quietHours, rules } = form.values.value.notificationPreferences;
            return (
              <>
                {rules === null && (
                  <>
                    <Switch name={`${OF}.email`} label="Notify me by email" />
                    <Switch name={`${OF}.sms`} label="Notify me by SMS" />
                  </>
                )}
                <Toggle
                  label="Page me by my own rules"
                  hint="One channel after the other, until somebody acknowledges or somebody else is paged."
                  isOn={rules !== null}
                  onChange={(isOn) => form.set(`${OF}.rules`, isOn ? FIRST_RULES : null)}
                />
                {rules !== null && <RulesFields rules={rules} form={form} />}
                <Switch
                  name={`${OF}.shiftReminders`}
                  label="Remind me of my shifts by mail, a day before and at the beginning"
                />
                <Field
                  name={`${OF}.phoneNumber`}
                  label="Phone number"
                  type="tel"
                  placeholder="+353871234567"
                  hint="With the country code. Admins of the workspace see it whole, others do not."
                />
                <Toggle
                  label="Quiet hours"
                  hint="Nothing is sent between these times. Pages for an open incident ignore them."
                  isOn={quietHours !== null}
                  onChange={(isOn) => form.set(`${OF}.quietHours`, isOn ? NIGHT : null)}
                />
                {quietHours !== null && (
                  <div class="fit-9 lines gap-4">
                    <Field name={`${OF}.quietHours.start`} label="From" type="time" />
                    <Field name={`${OF}.quietHours.end`} label="To" type="time" />
                    <ZoneField name={`${OF}.quietHours.timezone`} />
                  </div>
                )}
                <ForceToggle form={form} isForced={isForced} onForce={setForced} />
              </>
            );
          }}
        </EditForm>
      </div>
      {data && data.notificationPreferences.phoneNumber !== null && <PhoneNumber path={`${path}/phone-number`} />}
      <ContactMethods path={path} />
      <ChatAccounts path={path} />
    </Section>
  );
}

function RulesFields<T>({ rules, form }: { rules: Rules; form: FormModel<T> }) {
  const path = `${OF}.rules`;
  const put = (changed: Rules) => form.set(path, changed);
  return (
    <fieldset class="lines gap-4">
      <legend>Rules</legend>
      {rules.map((_, at) => (
        <div key={at} class="wrap center gap-2">
          <Field name={`${path}.${at}.channel`} label={`Rule ${at + 1}: by`} options={CHANNELS} />
          <Field name={`${path}.${at}.after`} label="After the page begins">
            {(control) => <DurationInput control={control} />}
          </Field>
          <Button
            look="plain"
            icon="trash"
            label={`Remove rule ${at + 1}`}
            onClick={() => put(rules.toSpliced(at, 1))}
          />
        </div>
      ))}
      <AddButton
        entry="rule"
        count={rules.length}
        most={MOST_RULES}
        whole="There are"
        onClick={() =>
          put([...rules, { after: rules.length === 0 ? 'PT0S' : `PT${rules.length * 5}M`, channel: 'sms' }])
        }
      />
    </fieldset>
  );
}

/** Whether the number is confirmed, and the way to confirm it. */
function PhoneNumber({ path }: { path: string }) {
  const read = useResource<CurrentNumber>(path);
  const [isSent, setSent] = useState(false);
  const form = useForm({
    initial: { code: '' },
    onSubmit: async ({ code }) => {
      await change('POST', `${path}/confirm`, { body: { code: code.trim() } });
      toast('Your phone number is confirmed.');
    },
  });
  const number = read.data?.phoneNumber;
  if (!read.data || !number) return null;
  if (read.data.isConfirmed) {
    return <p class="note">{number} is confirmed: you can be paged by SMS.</p>;
  }
  const send = () =>
    void change('POST', `${path}/send-code`, { body: {} }).then(() => {
      setSent(true);
      toast(`A code is on its way to ${number}.`);
    }, toastFault);
  return (
    <div class="note note-partial max-44">
      <p>
        <strong>{number} is not confirmed.</strong> Until then nothing is sent to it by SMS, pages included.
      </p>
      {isSent && (
        <Form form={form} action="Confirm">
          <Field name="code" label="Code from the text message" placeholder="048213" />
        </Form>
      )}
      <Button text={isSent ? 'Send another code' : 'Send me a code'} onClick={send} />
    </div>
  );
}
