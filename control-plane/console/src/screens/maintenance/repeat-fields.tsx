import { useState } from 'preact/hooks';
import { FieldGroup } from '../../parts/form.js';
import { DAYS, monthlyChoices, readRepeat, repeatText, ruleOf, type Repeat } from './repeat.js';

const CHOICES = { '': 'Once', DAILY: 'Daily', WEEKLY: 'Weekly', MONTHLY: 'Monthly', RULE: 'By a rule' } as const;

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
      <div class="window-repeat">
        <select
          class="input"
          aria-label="Repeats"
          value={asRule ? 'RULE' : (repeat?.freq ?? '')}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {Object.entries(CHOICES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
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
      <label class="window-every">
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
        <span class="window-days" role="group" aria-label="Days of the week">
          {Object.entries(DAYS).map(([day, name]) => (
            <label key={day} class="choice">
              <input
                type="checkbox"
                aria-label={name}
                checked={days.includes(day)}
                onChange={({ currentTarget: { checked } }) =>
                  put({ ...repeat, days: checked ? [...days, day] : days.filter((each) => each !== day) })
                }
              />
              <span>{name.slice(0, 3)}</span>
            </label>
          ))}
        </span>
      )}
      {freq === 'MONTHLY' && (
        <select
          class="input"
          aria-label="Day of the month"
          value={own}
          onChange={({ currentTarget: { value } }) =>
            put({
              ...repeat,
              days: /[A-Z]/.test(value) ? [value] : [],
              monthDay: /^-?\d+$/.test(value) ? Number(value) : undefined,
            })
          }
        >
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          {choices.every(({ value }) => value !== own) && (
            <option value={own}>{repeatText(ruleOf(repeat)).replace(/,.*/, '')}</option>
          )}
        </select>
      )}
      <select
        class="input"
        aria-label="Ends"
        value={end}
        onChange={({ currentTarget: { value } }) =>
          put({
            ...repeat,
            count: value === 'count' ? 10 : undefined,
            until: value === 'until' ? startsAt.slice(0, 10) : undefined,
          })
        }
      >
        <option value="">without end</option>
        <option value="count">this many times</option>
        <option value="until">until</option>
      </select>
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
        <input
          class="input"
          type="date"
          aria-label="Last day"
          value={until}
          onInput={({ currentTarget: { value } }) => value !== '' && put({ ...repeat, until: value })}
        />
      )}
    </>
  );
}
