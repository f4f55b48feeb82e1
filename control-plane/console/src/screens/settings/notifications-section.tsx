import { useState } from 'preact/hooks';
import { change } from '../../data/change.js';
import { workspace, workspaceId } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Toggle } from '../../parts/choices.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { OWN_ZONE, TimeZoneInput } from '../../parts/time-zone-input.js';
import { useEdit } from '../../parts/use-edit.js';
import { useForm } from '../../parts/use-form.js';
import { Section } from './section.js';
import type { CurrentNumber, MemberView } from './views.js';

const NAMES = {
  'notificationPreferences.email': 'By email',
  'notificationPreferences.sms': 'By SMS',
  'notificationPreferences.phoneNumber': 'Phone number',
  'notificationPreferences.quietHours': 'Quiet hours',
};

/** How the user is notified about this workspace. */
export function NotificationsSection() {
  const path = `/api/v1/workspaces/${workspaceId.value}/members/me`;
  const read = useResource<MemberView>(path);
  return (
    <Section
      title="Notifications"
      lead={`How ${workspace.value?.name ?? 'this workspace'} reaches you. Other workspaces have their own settings.`}
    >
      <Loaded of={read} rows={5}>
        {(data) => (
          <>
            <PreferencesForm path={path} data={data} etag={read.etag} />
            {data.notificationPreferences.phoneNumber !== null && <PhoneNumber path={`${path}/phone-number`} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function PreferencesForm({ path, data, etag }: { path: string; data: MemberView; etag: string | null }) {
  const { form, conflict } = useEdit({
    method: 'PATCH',
    path,
    read: { data, etag },
    pick: ({ notificationPreferences }: MemberView) => ({
      notificationPreferences: {
        ...notificationPreferences,
        phoneNumber: notificationPreferences.phoneNumber ?? '',
      },
    }),
    toBody: ({ notificationPreferences: { phoneNumber, ...rest } }) => ({
      notificationPreferences: { ...rest, phoneNumber: phoneNumber.replace(/[\s()-]/g, '') || null },
    }),
    draft: `notifications:${data.id}`,
    names: NAMES,
    onSaved: () => toast('Saved.'),
  });
  const { email, sms, quietHours } = form.values.value.notificationPreferences;
  const set = (name: string, value: unknown) => form.set(`notificationPreferences.${name}`, value);
  return (
    <div class="card card-body settings-form">
      <Form form={form} action="Save" conflict={conflict}>
        <Toggle label="Notify me by email" isOn={email} onChange={(isOn) => set('email', isOn)} />
        <Toggle label="Notify me by SMS" isOn={sms} onChange={(isOn) => set('sms', isOn)} />
        <Field
          name="notificationPreferences.phoneNumber"
          label="Phone number"
          type="tel"
          placeholder="+353871234567"
          hint="With the country code. Admins of the workspace see it whole, others do not."
        />
        <Toggle
          label="Quiet hours"
          hint="Nothing is sent between these times. Pages for an open incident ignore them."
          isOn={quietHours !== null}
          onChange={(isOn) => set('quietHours', isOn ? { start: '22:00', end: '07:00', timezone: OWN_ZONE } : null)}
        />
        {quietHours !== null && (
          <div class="settings-pair">
            <Field name="notificationPreferences.quietHours.start" label="From" type={'time' as 'text'} />
            <Field name="notificationPreferences.quietHours.end" label="To" type={'time' as 'text'} />
            <Field name="notificationPreferences.quietHours.timezone" label="Time zone">
              {(control) => <TimeZoneInput control={control} />}
            </Field>
          </div>
        )}
      </Form>
    </div>
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
    <div class="note note-partial settings-form">
      <p>
        <strong>{number} is not confirmed.</strong> Until then nothing is sent to it by SMS, pages included.
      </p>
      {isSent && (
        <Form form={form} action="Confirm">
          <Field name="code" label="Code from the text message" placeholder="048213" />
        </Form>
      )}
      <Button onClick={send}>{isSent ? 'Send another code' : 'Send me a code'}</Button>
    </div>
  );
}
