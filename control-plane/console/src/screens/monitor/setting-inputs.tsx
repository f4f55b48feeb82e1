import { useState } from 'preact/hooks';
import { isSame } from '../../data/compare-edits.js';
import { Button } from '../../parts/button.js';
import { textOf, type FieldControl } from '../../parts/inputs.js';
import { Field } from '../../parts/form.js';
import { itemsIn, MASK } from './monitor-values.js';

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
        return isLong ? <textarea {...shared} rows={4} /> : <input {...shared} />;
      }}
    </Field>
  );
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

type Rows = readonly (readonly [name: string, value: string])[];

function headersOf(rows: Rows): Record<string, string> {
  return Object.fromEntries(rows.filter(([name]) => name.trim() !== '').map(([name, value]) => [name.trim(), value]));
}

/** Names and values. A masked value stays as it is unless it is replaced. */
export function HeadersInput(props: {
  headers: Readonly<Record<string, string>>;
  onChange: (headers: Record<string, string>) => void;
}) {
  const [typed, setRows] = useState<Rows>([]);
  // Others may replace the headers while they are shown.
  const rows = isSame(headersOf(typed), props.headers) ? typed : Object.entries(props.headers);
  const put = (next: Rows) => {
    setRows(next);
    props.onChange(headersOf(next));
  };
  return (
    <div class="monitor-headers lines gap-2">
      {rows.map(([name, value], index) => (
        <div key={index} class="monitor-header lines gap-2">
          <input
            class="input mono"
            aria-label={`Name of header ${index + 1}`}
            placeholder="X-Probe"
            value={name}
            spellcheck={false}
            onInput={({ currentTarget }) => put(rows.with(index, [currentTarget.value, value]))}
          />
          <input
            class="input mono"
            aria-label={`Value of header ${index + 1}`}
            value={value}
            spellcheck={false}
            onFocus={({ currentTarget }) => value === MASK && currentTarget.select()}
            onInput={({ currentTarget }) => put(rows.with(index, [name, currentTarget.value]))}
          />
          <Button
            look="plain"
            icon="close"
            label={`Remove header ${index + 1}`}
            onClick={() => put(rows.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button text="Add a header" icon="plus" onClick={() => setRows([...rows, ['', '']])} />
    </div>
  );
}
