import { useState } from 'preact/hooks';
import { dayOf } from '../../data/days.js';
import { DateInput } from '../../parts/date-input.js';
import { Checks, Choice } from '../../parts/inputs.js';
import { FieldGroup } from '../../parts/form.js';
import { DAYS, monthlyChoices, readRepeat, repeatText, ruleOf, type Repeat } from './repeat.js';

const CHOICES = { '': 'Once', DAILY: 'Daily', WEEKLY: 'Weekly', MONTHLY: 'Monthly', RULE: 'By a rule' } as const;
const ENDS = [
  { value: '', label: 'without end' },
  { value: 'count', label: 'this many times' },
  { value: 'until', label: 'until' },
];

/** How a window recurs, in plain words; a rule that these have no words for is edited as it is (RFC 5545). */
export function RepeatFields(props: {
  startsAt: string;
  rule: string | null;
  onChange: (rule: string | null) => void;
}) {
  const { startsAt, rule, onChange } = props;
  const [asRule, setAsRule] = useState(rule !== null && readRepeat(rule) === undefined);
  const repeat = rule === null || asRule ? undefined : readRepeat(rule);
  const choose = (choice: string) => {
    setAsRule(choice === 'RULE');
    if (choice === 'RULE') onChange(rule ?? 'FREQ=WEEKLY');
    else onChange(choice === '' ? null : `FREQ=${choice}`);
  };
  return (
    <FieldGroup name="recurrence" label="Repeats" hint={rule === null ? undefined : `${repeatText(rule)}.`}>
      <div class="row window-repeat">
        <Choice
          label="Repeats"
          options={Object.entries(CHOICES).map(([value, label]) => ({ value, label }))}
          value={asRule ? 'RULE' : (repeat?.freq ?? '')}
          onChange={choose}
        />
        {asRule && (
          <input
            class="input mono"
            aria-label="Rule"
            value={rule ?? ''}
            spellcheck={false}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        )}
        {repeat && <Details startsAt={startsAt} repeat={repeat} put={(next) => onChange(ruleOf(next))} />}
      </div>
    </FieldGroup>
  );
}

function Details(props: { startsAt: string; repeat: Repeat; put: (repeat: Repeat) => void }) {
  const { startsAt, repeat, put } = props;
  const { freq, interval, days, monthDay, count, until } = repeat;
  const own = days[0] ?? (monthDay === undefined ? '' : String(monthDay));
  const choices = monthlyChoices(startsAt);
  const end = count !== undefined ? 'count' : until !== undefined ? 'until' : '';
  return (
    <>
      <label class="inline-wrap center gap-2">
        every
        <input
          class="input num"
          type="number"
          min={1}
          value={interval}
          onInput={({ currentTarget: { valueAsNumber } }) =>
            valueAsNumber > 0 && put({ ...repeat, interval: valueAsNumber })
          }
        />
        {{ DAILY: 'days', WEEKLY: 'weeks', MONTHLY: 'months' }[freq]}
      </label>
      {freq === 'WEEKLY' && (
        <span class="inline-wrap center gap-2" role="group" aria-label="Days of the week">
          <Checks
            options={Object.entries(DAYS).map(([value, name]) => ({ value, name, label: name.slice(0, 3) }))}
            values={days}
            onChange={(next) => put({ ...repeat, days: next })}
          />
        </span>
      )}
      {freq === 'MONTHLY' && (
        <Choice
          label="Day of the month"
          options={
            choices.some(({ value }) => value === own)
              ? choices
              : [...choices, { value: own, label: repeatText(ruleOf(repeat)).replace(/,.*/, '') }]
          }
          value={own}
          onChange={(value) =>
            put({
              ...repeat,
              days: /[A-Z]/.test(value) ? [value] : [],
              monthDay: /^-?\d+$/.test(value) ? Number(value) : undefined,
            })
          }
        />
      )}
      <Choice
        label="Ends"
        options={ENDS}
        value={end}
        onChange={(value) =>
          put({
            ...repeat,
            count: value === 'count' ? 10 : undefined,
            until: value === 'until' ? startsAt.slice(0, 10) : undefined,
          })
        }
      />
      {end === 'count' && (
        <input
          class="input num"
          type="number"
          min={1}
          aria-label="How many times"
          value={count}
          onInput={({ currentTarget: { valueAsNumber } }) =>
            valueAsNumber > 0 && put({ ...repeat, count: valueAsNumber })
          }
        />
      )}
      {end === 'until' && (
        <DateInput
          aria-label="Last day"
          value={until}
          onChange={(day) => dayOf(day) !== '' && put({ ...repeat, until: day })}
        />
      )}
    </>
  );
}
