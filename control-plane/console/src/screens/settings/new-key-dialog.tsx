import { change } from '../../data/change.js';
import { nowMs } from '../../data/clock.js';
import { Button } from '../../parts/button.js';
import { Select } from '../../parts/choices.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { useForm } from '../../parts/use-form.js';
import type { ApiKeyView } from './views.js';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After 1 year' },
  { value: 'date', label: 'On a day of your choice' },
  { value: 'never', label: 'Never' },
] as const;

type Scope = ApiKeyView['scopes'][number];

/** What a key may do, a group a row: the first choice gives nothing. */
const GROUPS: readonly { label: string; levels: readonly (readonly [label: string, scopes: readonly Scope[]])[] }[] = [
  {
    label: 'Monitors, reports and service groups',
    levels: [
      ['Read', ['monitor.read']],
      ['Change', ['monitor.write']],
    ],
  },
  {
    label: 'Incidents',
    levels: [
      ['Read', ['incident.read']],
      ['Acknowledge and note', ['incident.write']],
    ],
  },
  {
    label: 'Alerts',
    levels: [
      ['Read', ['alert.read']],
      ['Change', ['alert.write']],
    ],
  },
  {
    label: 'Status pages',
    levels: [
      ['Read', ['statuspage.read']],
      ['Change', ['statuspage.write']],
    ],
  },
  {
    label: 'Workspace, members and schedules',
    levels: [
      ['Read', ['account.read']],
      ['Change', ['account.write']],
    ],
  },
  {
    label: 'Your profile',
    levels: [
      ['Read', ['user.read']],
      ['Change', ['user.write', 'edit:user']],
    ],
  },
];

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

/** Asks for the name, scopes and end of a new key. */
export function NewKeyDialog(props: { onMade: (made: { name: string; key: string }) => void; onClose: () => void }) {
  const { onMade, onClose } = props;
  const form = useForm<Values>({
    initial: { name: '', levels: GROUPS.map((_, index) => (index < 2 ? 1 : 0)), lifetime: '90', lastDay: '' },
    draft: 'api-key',
    onSubmit: async (values) => {
      const scopes = GROUPS.flatMap((group, index) => group.levels[values.levels[index]! - 1]?.[1] ?? []);
      const { body } = await change<ApiKeyView & { key: string }>('POST', '/api/v1/api-keys', {
        body: { name: values.name, scopes, expiresAt: endOf(values) },
      });
      onMade(body);
    },
  });
  const { levels, lifetime, lastDay } = form.values.value;
  const setAll = (level: number) =>
    form.set(
      'levels',
      GROUPS.map(() => level),
    );
  return (
    <Dialog title="New API key" onClose={onClose}>
      <Form form={form} action="Create the key" onCancel={onClose}>
        <Field name="name" label="Name" hint="What it is for, to recognise it later." placeholder="Deployments" />
        <Field name="scopes" label="What it may do" hint="Your role limits it, too.">
          {({ id }) => (
            <div class="stack" id={id} role="group" aria-label="What it may do">
              <div class="row">
                <Button onClick={() => setAll(1)}>Read everything</Button>
                <Button onClick={() => setAll(2)}>Change everything</Button>
              </div>
              {GROUPS.map((group, index) => (
                <label key={group.label} class="settings-scopes">
                  <span>{group.label}</span>
                  <select
                    class="input"
                    value={levels[index]}
                    onChange={({ currentTarget }) =>
                      form.set('levels', levels.with(index, Number(currentTarget.value)))
                    }
                  >
                    <option value={0}>Nothing</option>
                    {group.levels.map(([label], level) => (
                      <option key={label} value={level + 1}>
                        {label}
                      </option>
                    ))}
                  </select>
                </label>
              ))}
            </div>
          )}
        </Field>
        <Field name="lifetime" label="Expires" hint="Expiring keys are safer.">
          {(control) => <Select control={control} options={LIFETIMES} />}
        </Field>
        {lifetime === 'date' && (
          <Field name="expiresAt" label="Last day">
            {({ id, describedBy, isInvalid }) => (
              <input
                id={id}
                class="input"
                type="date"
                value={lastDay}
                aria-describedby={describedBy}
                aria-invalid={isInvalid || undefined}
                onInput={(event) => form.set('lastDay', event.currentTarget.value)}
              />
            )}
          </Field>
        )}
      </Form>
    </Dialog>
  );
}
