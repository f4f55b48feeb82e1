import { useState } from 'preact/hooks';
import { change, useResource } from '../../data/resources.js';
import { workspace, workspaceId } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Toggle } from '../../parts/inputs.js';
import { EditForm } from '../../parts/edit-form.js';
import { Field, Form, Switch, OWN_ZONE, ZoneField } from '../../parts/form.js';
import { Section } from '../../parts/section.js';
import { useForm } from '../../parts/use-form.js';
import { ChatAccounts } from './chat-accounts.js';
import type { CurrentNumber, MemberView } from './views.js';

const OF = 'notificationPreferences';
const NIGHT = { start: '22:00', end: '07:00', timezone: OWN_ZONE };

/** How the user is notified about this workspace. */
export function NotificationsSection() {
  const path = `/api/v1/workspaces/${workspaceId.value}/members/me`;
  const { data } = useResource<MemberView>(path);
  return (
    <Section
      look="stack"
      title="Notifications"
      lead={`How ${workspace.value?.name ?? 'this workspace'} reaches you. Other workspaces have their own settings.`}
    >
      <div class="card card-body max-44">
        <EditForm
          method="PATCH"
          path={path}
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
            const { quietHours } = form.values.value.notificationPreferences;
            return (
              <>
                <Switch name={`${OF}.email`} label="Notify me by email" />
                <Switch name={`${OF}.sms`} label="Notify me by SMS" />
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
              </>
            );
          }}
        </EditForm>
      </div>
      {data && data.notificationPreferences.phoneNumber !== null && <PhoneNumber path={`${path}/phone-number`} />}
      <ChatAccounts path={path} />
    </Section>
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
