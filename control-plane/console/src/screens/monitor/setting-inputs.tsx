import { lineOfStep, stepOfLine, type ScriptStep } from './script-lines.js';
import type { FormVariant, MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import { useState } from 'preact/hooks';
import { Select, textOf, type FieldControl } from '../../parts/inputs.js';
import { Field } from '../../parts/form.js';
import type { FormModel } from '../../parts/use-form.js';
import { PairsInput } from '../../parts/pairs-input.js';
import { itemsIn } from './monitor-values.js';

/** Marks the controls of a step into which a placeholder can be inserted. */
export const TAKES_NAMES = { 'data-takes-names': true };

/** A text, or what `read` makes of it, that is null while it is empty. */
export function NullableField(props: {
  name: string;
  label: string;
  hint?: string;
  isLong?: boolean;
  read?: (text: string) => unknown;
}) {
  const { isLong = false, read = String, ...field } = props;
  return (
    <Field {...field}>
      {({ value, set, attributes }) => {
        const shared = {
          ...attributes,
          class: isLong ? 'input mono' : 'input',
          value: textOf(value),
          onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
            set(currentTarget.value === '' ? null : read(currentTarget.value)),
        };
        return isLong ? <textarea {...shared} {...TAKES_NAMES} rows={4} /> : <input {...shared} />;
      }}
    </Field>
  );
}

/** What is no number stays as it was typed, and is refused. */
export function toNumber(word: string): number | string {
  return /^\d+(?:\.\d+)?$/.test(word) ? Number(word) : word;
}

/** A script as lines, and null while there are none. What is typed stays as it is until the field is left. */
export function ScriptField(props: { name: string; label: string; hint?: string }) {
  const [typed, setTyped] = useState<string>();
  return (
    <Field {...props}>
      {({ attributes, value, set }) => (
        <textarea
          {...attributes}
          class="input mono"
          rows={4}
          spellcheck={false}
          value={typed ?? ((value ?? []) as (ScriptStep | string)[]).map(textOfStep).join('\n')}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            const lines = currentTarget.value.split('\n').filter((line) => line.trim() !== '');
            set(lines.length === 0 ? null : lines.map(stepOfLine));
          }}
          onBlur={() => setTyped(undefined)}
        />
      )}
    </Field>
  );
}

function textOfStep(step: ScriptStep | string): string {
  return typeof step === 'string' ? step : lineOfStep(step);
}

interface ListInputProps {
  control: Pick<FieldControl, 'value' | 'set' | 'attributes'>;
  read?: (word: string) => unknown;
  /** One value a line, which may contain blanks and commas. */
  isLong?: boolean;
}

/** A list as words with commas, or as lines. What is typed stays as it is until the field is left. */
export function ListInput({ control, read = String, isLong = false }: ListInputProps) {
  const [typed, setTyped] = useState<string>();
  const list = Array.isArray(control.value) ? (control.value as unknown[]) : [];
  const shared = {
    ...control.attributes,
    class: 'input',
    value: typed ?? list.join(isLong ? '\n' : ', '),
    spellcheck: false,
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setTyped(value);
      control.set(itemsIn(value, isLong).map(read));
    },
    onBlur: () => setTyped(undefined),
  };
  return isLong ? <textarea {...shared} rows={2} /> : <input {...shared} />;
}

/** A secret that is never shown: what is kept stays until something is typed. */
export function SecretInput({ control, isLong = false }: { control: FieldControl; isLong?: boolean }) {
  const { value, set, attributes } = control;
  const [wasKept] = useState(value === MASK);
  const shared = {
    ...attributes,
    class: isLong ? 'input mono' : 'input',
    value: value === MASK ? '' : textOf(value),
    placeholder: value === MASK ? 'Kept; type to replace' : undefined,
    autocomplete: 'off' as const,
    spellcheck: false,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
      set(currentTarget.value === '' && wasKept ? MASK : currentTarget.value),
  };
  return isLong ? <textarea {...shared} rows={4} /> : <input {...shared} type="password" autocomplete="new-password" />;
}

/** One of several variants of a setting, or none, and its fields. */
export function VariantFields(props: {
  form: FormModel<MonitorValues>;
  name: string;
  label: string;
  hint?: string;
  variants: readonly FormVariant[];
}) {
  const { form, name, variants, ...field } = props;
  const type = (form.get(name) as { type: string } | null)?.type;
  const chosen = variants.find((each) => each.type === type);
  return (
    <div class="beside">
      <Field {...field} name={name}>
        {(control) => (
          <Select
            control={{
              ...control,
              value: type ?? '',
              set: (next) => control.set(variants.find((each) => each.type === next)?.initial ?? null),
            }}
            options={[{ value: '', label: 'No' }, ...variants.map(({ type: value, label }) => ({ value, label }))]}
          />
        )}
      </Field>
      {chosen?.fields.map((own) => (
        <VariantField key={`${type} ${own.name}`} {...own} name={`${name}.${own.name}`} />
      ))}
    </div>
  );
}

function VariantField({ control: kind, isSecret, ...field }: FormVariant['fields'][number]) {
  const isLong = kind === 'lines';
  if (kind === 'nullable') return <NullableField {...field} />;
  if (!isSecret && kind !== 'list') return <Field {...field} isLong={isLong} />;
  return (
    <Field {...field}>
      {(control) => (isSecret ? <SecretInput control={control} isLong={isLong} /> : <ListInput control={control} />)}
    </Field>
  );
}

/** Names and values. A masked value stays as it is unless it is replaced. */
export function HeadersInput(props: {
  headers: Readonly<Record<string, string>>;
  onChange: (headers: Record<string, string>) => void;
}) {
  return (
    <PairsInput pairs={props.headers} onChange={props.onChange} noun="header" placeholder="X-Probe" initial="">
      {(value, set, label) => (
        <input
          {...TAKES_NAMES}
          class="input mono"
          aria-label={label}
          value={value}
          spellcheck={false}
          onFocus={({ currentTarget }) => value === MASK && currentTarget.select()}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
    </PairsInput>
  );
}
