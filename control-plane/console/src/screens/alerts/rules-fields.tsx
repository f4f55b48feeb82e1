import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { MessagePreview } from '@watchpost/control-plane/capabilities/channels/samples/message-preview-schemas';
import { asFault } from '../../data/api-fault.js';
import { change } from '../../data/resources.js';
import { Button } from '../../parts/button.js';
import { Field, FieldGroup, OWN_ZONE, ZoneField } from '../../parts/form.js';
import { Checks, Toggle, type Option } from '../../parts/inputs.js';
import { SEVERITY_CHOICES } from '../../parts/state.js';
import { durationMs, durationText } from '../../parts/format.js';
import type { FormModel } from '../../parts/use-form.js';
import { Message } from './channel-messages.js';
import { type GroupValues, hasRules, type Rules } from './group-text.js';

const DELAYS = ['PT0S', 'PT1M', 'PT2M', 'PT5M', 'PT10M', 'PT15M', 'PT30M', 'PT1H', 'PT2H'];
const REPEATS = ['PT15M', 'PT30M', 'PT1H', 'PT2H', 'PT4H', 'PT12H', 'P1D'];
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const OFFICE: Rules['hours'] = {
  timezone: OWN_ZONE,
  days: DAYS.slice(0, 5),
  start: '09:00',
  end: '17:00',
  outside: 'hold',
};

/** Durations to choose from, and the one that is set by other means. */
function durations(offered: readonly string[], current: string | null, wordOf: (text: string) => string): Option[] {
  const all = !current || offered.includes(current) ? offered : [...offered, current];
  return all.map((value) => ({ value, label: wordOf(durationText(durationMs(value) ?? 0)) }));
}

interface RulesProps {
  form: FormModel<GroupValues>;
  channel: string;
}

/** When a channel is notified, how often, and in which words. */
export function RulesFields({ form, channel }: RulesProps) {
  const { severities, delay, hours, repeatEvery } = form.values.value;
  return (
    <details class="stack" open={hasRules(form.values.peek())}>
      <summary>When to notify, and in which words</summary>
      <div class="stack above-3">
        <FieldGroup name="severities" label="Of which incidents">
          <Checks
            options={SEVERITY_CHOICES}
            values={severities}
            onChange={(chosen) => form.set('severities', chosen)}
          />
        </FieldGroup>
        <Field
          name="delay"
          label="Wait before notifying"
          hint="Only what is still open then, and not acknowledged, is sent."
          options={durations(DELAYS, delay, (text) => (text === '0 s' ? 'Notify at once' : text))}
        />
        <Field
          name="repeatEvery"
          label="Repeat while nobody acknowledges"
          options={[{ value: '', label: 'Never' }, ...durations(REPEATS, repeatEvery, (text) => `Every ${text}`)]}
        />
        <Field
          name="digestAfter"
          label="Join messages from (optional)"
          type="number"
          placeholder="10"
          hint="From so many waiting messages on, 2 to 100, they are sent as one."
        />
        <Toggle
          label="Only during some hours"
          isOn={hours !== null}
          onChange={(isOn) => form.set('hours', isOn ? OFFICE : null)}
        />
        {hours !== null && (
          <>
            <FieldGroup name="hours.days" label="Days">
              <Checks
                options={DAYS.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }))}
                values={hours.days}
                onChange={(days) => form.set('hours.days', days)}
              />
            </FieldGroup>
            <div class="lines columns-14 gap-3-4">
              <Field name="hours.start" label="From" type="time" />
              <Field name="hours.end" label="To" type="time" hint="An earlier time is one of the next day." />
            </div>
            <ZoneField name="hours.timezone" />
            <Field
              name="hours.outside"
              label="At other times"
              options={[
                { value: 'hold', label: 'Keep it until the hours begin, if it is still true' },
                { value: 'drop', label: 'Send nothing' },
              ]}
            />
          </>
        )}
        <Template form={form} channel={channel} />
      </div>
    </details>
  );
}

/** The messages of the preview that are shown, with their headings. */
const PREVIEWED: Partial<Record<MessagePreview['type'], string>> = {
  'incident.opened': 'The latest incident',
  digest: 'Several at once',
};

/** Words in place of ours, and what they make of the latest incident of the workspace. */
function Template({ form, channel }: RulesProps) {
  const [messages, setMessages] = useState<MessagePreview[]>([]);
  const preview = () => {
    const body = { type: channel, template: form.values.peek().template || null };
    change<MessagePreview[]>('POST', '/api/v1/channels/messages', { body }).then(
      ({ body: composed }) => {
        form.fault.value = undefined;
        setMessages(composed);
      },
      (error: unknown) => {
        form.fault.value = asFault(error);
      },
    );
  };
  return (
    <>
      <Field
        name="template"
        label="Own words (optional)"
        isLong
        placeholder={'{{ monitor.name }}: {{ event.type }}\nSince {{ incident.started }}: {{ incident.failureReason }}'}
        hint="A Liquid text with monitor, incident, event and workspace; with events, about several at once too. The first line is the title; the links stay ours."
      />
      <div aria-live="polite" class="stack gap-3">
        <div>
          <Button text="Preview the words" onClick={preview} />
        </div>
        {messages[0]?.templateFailure && <p class="state-partial">{messages[0].templateFailure}</p>}
        {Object.entries(PREVIEWED).map(([type, heading]) =>
          messages
            .filter((message) => message.type === type)
            .map((message) => (
              <Fragment key={type}>
                <h3>{heading}</h3>
                <Message message={message} />
              </Fragment>
            )),
        )}
      </div>
    </>
  );
}
