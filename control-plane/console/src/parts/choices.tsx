import { textOf, type FieldControl } from './form.js';

export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

/** One of several, for `Field`. */
export function Select({ control, options }: { control: FieldControl; options: readonly Option[] }) {
  return (
    <select
      id={control.id}
      class="input"
      value={textOf(control.value)}
      aria-describedby={control.describedBy}
      aria-invalid={control.isInvalid || undefined}
      onChange={(event) => control.set(event.currentTarget.value)}
    >
      {options.map(({ value, label, disabled }) => (
        <option key={value} value={value} disabled={disabled}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** On or off, with its own label; outside of `Field` too. */
export function Toggle(props: {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  hint?: string;
  disabled?: boolean;
}) {
  const { label, isOn, onChange, hint, disabled = false } = props;
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

/** Several of a few: `['us-east', 'eu-west']`. */
export function Choices(props: {
  label: string;
  options: readonly Option[];
  values: readonly string[];
  onChange: (values: string[]) => void;
}) {
  const { label, options, values, onChange } = props;
  return (
    <fieldset class="choices">
      <legend class="field-label">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="choice">
          <input
            type="checkbox"
            checked={values.includes(option.value)}
            disabled={option.disabled}
            onChange={({ currentTarget }) =>
              onChange(
                currentTarget.checked ? [...values, option.value] : values.filter((each) => each !== option.value),
              )
            }
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
