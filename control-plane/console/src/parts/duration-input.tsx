import { useState } from 'preact/hooks';
import type { FieldControl } from './field-control.js';
import { durationMs, isoDuration } from './format.js';

const UNITS = [
  { name: 'seconds', ms: 1_000 },
  { name: 'minutes', ms: 60_000 },
  { name: 'hours', ms: 3_600_000 },
  { name: 'days', ms: 86_400_000 },
] as const;

/** A length of time (ISO 8601, as in the API) as a number and a unit, for `Field`. */
export function DurationInput({ control, unset = 'PT0S' }: { control: FieldControl; unset?: string }) {
  const { label, value, set, attributes } = control;
  const ms = durationMs(typeof value === 'string' ? value : unset) ?? 0;
  const [unit, setUnit] = useState<number>(
    () => UNITS.findLast((each) => ms > 0 && ms % each.ms === 0)?.ms ?? UNITS[0].ms,
  );
  return (
    <span class="duration-input">
      <input
        {...attributes}
        class="input num"
        type="number"
        min={0}
        step="any"
        value={ms / unit}
        aria-label={label}
        onInput={(event) => {
          const amount = event.currentTarget.valueAsNumber;
          if (!Number.isNaN(amount)) set(isoDuration(Math.round(amount * unit)));
        }}
      />
      <select
        class="input"
        aria-label={`${label}, unit`}
        value={unit}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          set(isoDuration((ms / unit) * next));
          setUnit(next);
        }}
      >
        {UNITS.map(({ name, ms: each }) => (
          <option key={name} value={each}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}
