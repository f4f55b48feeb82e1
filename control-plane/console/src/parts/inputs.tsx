import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { durationMs, isoDuration } from './format.js';

export interface Option {
  value: string | number;
  label: string;
  disabled?: boolean;
}

/** Objects as options that are chosen by id. */
export function named(list: readonly { id: string; name: string }[] | undefined): { value: string; label: string }[] {
  return (list ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

export function Labelled({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      {children}
    </label>
  );
}

interface ChoiceProps {
  options: readonly Option[];
  value: string | number | undefined;
  onChange: (value: string, select: HTMLSelectElement) => void;
  id?: string | undefined;
  /** For screen readers, where no label is seen. */
  label?: string | undefined;
  class?: string;
}

/** One of several. It is a select of the browser (record 100). */
export function Choice({ options, value, onChange, label, class: name = '', ...attributes }: ChoiceProps) {
  return (
    <select
      {...attributes}
      class={`input ${name}`}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value, currentTarget)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** One of several, for `Field`. */
export function Select(props: { control: FieldControl; options: readonly Option[]; isNullable?: boolean }) {
  const { control, options, isNullable = false } = props;
  const set = (value: string) => control.set(isNullable ? value || null : value);
  return <Choice {...control.attributes} options={options} value={textOf(control.value)} onChange={set} />;
}

interface ToggleProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  hint?: string;
  disabled?: boolean;
}

/** On or off, with its own label; outside of `Field` too. */
export function Toggle({ label, isOn, onChange, hint, disabled = false }: ToggleProps) {
  return (
    <label class="toggle">
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint && <span class="field-hint">{hint}</span>}
      </span>
    </label>
  );
}

interface ChecksProps {
  /** `name` is read out where the label is short. */
  options: readonly {
    value: string;
    label: ComponentChildren;
    name?: string;
    disabled?: boolean;
    isOff?: boolean;
  }[];
  values: readonly string[];
  onChange: (values: string[]) => void;
}

export function Checks({ options, values, onChange }: ChecksProps) {
  return options.map(({ value, label, name, disabled, isOff }) => (
    <label key={value} class={isOff ? 'choice is-off' : 'choice'}>
      <input
        type="checkbox"
        aria-label={name}
        checked={values.includes(value)}
        disabled={disabled}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.checked ? [...values, value] : values.filter((each) => each !== value))
        }
      />
      <span>{label}</span>
    </label>
  ));
}

/** Several of a few: `['us-east', 'eu-west']`. */
export function Choices({ label, ...checks }: ChecksProps & { label: string }) {
  return (
    <fieldset class="choices lines gap-2">
      <legend class="field-label">{label}</legend>
      <div class="lines columns-14 gap-2-4">
        <Checks {...checks} />
      </div>
    </fieldset>
  );
}

/** A control of a `Field` shows and changes this. */
export interface FieldControl {
  label: string;
  value: unknown;
  set: (value: unknown) => void;
  /** These tie an input to its label, its hint and its faults. */
  attributes: { id: string; 'aria-describedby'?: string | undefined; 'aria-invalid'?: true | undefined };
}

/** Makes the text that a control shows of a value that is text or a number. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const UNITS = [
  { name: 'seconds', ms: 1_000 },
  { name: 'minutes', ms: MINUTE_MS },
  { name: 'hours', ms: HOUR_MS },
  { name: 'days', ms: DAY_MS },
] as const;

/** A length of time (ISO 8601, as in the API) as a number and a unit, for `Field`. */
export function DurationInput({ control, unset = 'PT0S' }: { control: FieldControl; unset?: string }) {
  const { label, value, set, attributes } = control;
  const ms = durationMs(typeof value === 'string' ? value : unset) ?? 0;
  const [unit, setUnit] = useState<number>(
    () => UNITS.findLast((each) => ms > 0 && ms % each.ms === 0)?.ms ?? UNITS[0].ms,
  );
  return (
    <span class="duration-input lines gap-2">
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
      <Choice
        label={`${label}, unit`}
        options={UNITS.map(({ name, ms: each }) => ({ value: each, label: name }))}
        value={unit}
        onChange={(chosen) => {
          set(isoDuration((ms / unit) * Number(chosen)));
          setUnit(Number(chosen));
        }}
      />
    </span>
  );
}

/** The attributes of an input into which a URL, or the host of one, is pasted. */
export const URL_ATTRIBUTES = {
  class: 'input',
  // Not `url`, which wants a scheme.
  type: 'text',
  inputMode: 'url',
  placeholder: 'https://example.com',
  autocomplete: 'url',
  autocapitalize: 'off',
  spellcheck: false,
} as const;
