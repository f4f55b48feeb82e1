import { DAY_MS } from '@watchpost/shared/time';
import { workspaceId } from '../../data/session.js';
import { Dialog, show } from '../../parts/dialog.js';
import { Secret } from './settings-parts.js';
import { change } from '../../data/resources.js';
import { nowMs } from '../../data/clock.js';
import { Button } from '../../parts/button.js';
import { DateInput } from '../../parts/date-input.js';
import { Segmented } from '../../parts/segmented.js';
import { FormDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import type { ApiKeyView } from './views.js';

const LIFETIMES = [
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After 1 year' },
  { value: 'date', label: 'On a day of your choice' },
  { value: 'never', label: 'Never' },
] as const;

type Scope = ApiKeyView['scopes'][number];

/** What a key may do, a group a row, from the least to the most; the first choice of each gives nothing. */
const GROUPS: readonly { label: string; scopes: readonly (readonly Scope[])[]; words?: readonly string[] }[] = [
  { label: 'Monitors, reports and service groups', scopes: [['monitor.read'], ['monitor.write']] },
  {
    label: 'Incidents',
    scopes: [['incident.read'], ['incident.write']],
    words: ['Nothing', 'Read', 'Acknowledge'],
  },
  { label: 'Alerts', scopes: [['alert.read'], ['alert.write']] },
  { label: 'Status pages', scopes: [['statuspage.read'], ['statuspage.write']] },
  { label: 'Workspace, members and schedules', scopes: [['account.read'], ['account.write']] },
  { label: 'Your profile', scopes: [['user.read'], ['user.write', 'edit:user']] },
];
const WORDS = ['Nothing', 'Read', 'Change'];

interface Values {
  name: string;
  /** For each group of `GROUPS`, the level: 0 is none. */
  levels: number[];
  /** Days, or a name of `LIFETIMES`. */
  lifetime: string;
  /** Its last day (`2027-01-31`), for the lifetime `date`. */
  lastDay: string;
}

/** @returns the end as the API takes it */
function endOf({ lifetime, lastDay }: Values): string | null {
  if (lifetime === 'never') return null;
  if (lifetime !== 'date') return new Date(nowMs() + Number(lifetime) * DAY_MS).toISOString();
  // In the zone of the browser. What is no day is refused by the API.
  const end = new Date(`${lastDay}T23:59:59`);
  return Number.isNaN(end.getTime()) ? lastDay : end.toISOString();
}

export function NewKeyDialog() {
  const submit = async (values: Values) => {
    const scopes = GROUPS.flatMap((group, index) => group.scopes[values.levels[index]! - 1] ?? []);
    const body = { name: values.name, scopes, expiresAt: endOf(values) };
    show(<MadeKey made={(await change<MadeKeyView>('POST', '/api/v1/api-keys', { body })).body} />);
  };
  return (
    <FormDialog<Values>
      title="New API key"
      action="Create the key"
      initial={{ name: '', levels: GROUPS.map((_, index) => (index < 2 ? 1 : 0)), lifetime: '90', lastDay: '' }}
      draft="api-key"
      onSubmit={submit}
    >
      {(form) => (
        <>
          <Field name="name" label="Name" hint="What it is for, to recognise it later." placeholder="Deployments" />
          <Field name="scopes" label="What it may do" hint="Your role limits it, too.">
            {({ attributes: { id } }) => (
              <div class="stack" id={id} role="group" aria-label="What it may do">
                <div class="row">
                  {['Read everything', 'Change everything'].map((label, level) => (
                    <Button
                      key={label}
                      text={label}
                      onClick={() => form.set('levels', Array(GROUPS.length).fill(level + 1))}
                    />
                  ))}
                </div>
                {GROUPS.map(({ label, words = WORDS }, index) => (
                  <div key={label} class="wrap between center gap-1">
                    <span>{label}</span>
                    <Segmented
                      label={label}
                      options={words.map((word, value) => ({ value, label: word }))}
                      value={form.values.value.levels[index]}
                      onChange={(level) => form.set(`levels.${index}`, Number(level))}
                    />
                  </div>
                ))}
              </div>
            )}
          </Field>
          <Field name="lifetime" label="Expires" hint="Expiring keys are safer." options={LIFETIMES} />
          {form.values.value.lifetime === 'date' && (
            <Field name="expiresAt" label="Last day">
              {({ attributes }) => (
                <DateInput
                  {...attributes}
                  value={form.values.value.lastDay}
                  onChange={(day) => form.set('lastDay', day)}
                />
              )}
            </Field>
          )}
        </>
      )}
    </FormDialog>
  );
}

type MadeKeyView = ApiKeyView & { key: string };

function MadeKey({ made: { name, key } }: { made: MadeKeyView }) {
  return (
    <Dialog title={`Key “${name}”`} isWide>
      <p class="note note-partial">
        <strong>Copy the key now: it is shown this once.</strong>
      </p>
      <Secret text={key} label="Copy the key" />
      <p>Send it with each request:</p>
      <pre class="flush sunken small pad-3 pre">
        {`curl ${location.origin}/api/v1/workspaces/${workspaceId.value} \\\n  -H "Authorization: Bearer ${key.slice(0, 16)}…"`}
      </pre>
    </Dialog>
  );
}
