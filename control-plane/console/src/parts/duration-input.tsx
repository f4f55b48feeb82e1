import { useState } from 'preact/hooks';
import { durationMs, isoDuration } from './format.js';

const UNITS = [
  { name: 'seconds', ms: 1_000 },
  { name: 'minutes', ms: 60_000 },
  { name: 'hours', ms: 3_600_000 },
  { name: 'days', ms: 86_400_000 },
] as const;

interface DurationInputProps {
  id?: string;
  /** ISO 8601, as in the API. */
  value: string;
  onChange: (value: string) => void;
  label: string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
}

/** A length of time as a number and a unit. */
export function DurationInput({ id, value, onChange, label, describedBy, isInvalid = false }: DurationInputProps) {
  const ms = durationMs(value) ?? 0;
  const [unit, setUnit] = useState<number>(
    () => UNITS.findLast((each) => ms > 0 && ms % each.ms === 0)?.ms ?? UNITS[0].ms,
  );
  return (
    <span class="duration-input">
      <input
        id={id}
        class="input num"
        type="number"
        min={0}
        step="any"
        value={ms / unit}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        onInput={(event) => {
          const amount = event.currentTarget.valueAsNumber;
          if (!Number.isNaN(amount)) onChange(isoDuration(Math.round(amount * unit)));
        }}
      />
      <select
        class="input"
        aria-label={`${label}, unit`}
        value={unit}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          onChange(isoDuration((ms / unit) * next));
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
