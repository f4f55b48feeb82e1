import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isSame } from '../data/compare-edits.js';
import { Button } from './button.js';

type Pairs<V> = readonly (readonly [name: string, value: V])[];

function recordOf<V>(pairs: Pairs<V>): Record<string, V> {
  return Object.fromEntries(pairs.filter(([name]) => name.trim() !== '').map(([name, value]) => [name.trim(), value]));
}

interface PairsInputProps<V> {
  pairs: Readonly<Record<string, V>>;
  onChange: (pairs: Record<string, V>) => void;
  /** The name of a row: `header`. */
  noun: string;
  placeholder: string;
  initial: V;
  /** Draws the value of a row, which is called so, and has the name. */
  children: (value: V, set: (value: V) => void, label: string, name: string) => ComponentChildren;
}

/** Names and their values, a row each. Rows without a name are left out. */
export function PairsInput<V>({ pairs, onChange, noun, placeholder, initial, children }: PairsInputProps<V>) {
  const [typed, setRows] = useState<Pairs<V>>([]);
  // Others may replace them while they are shown.
  const rows = isSame(recordOf(typed), pairs) ? typed : Object.entries(pairs);
  const put = (next: Pairs<V>) => {
    setRows(next);
    onChange(recordOf(next));
  };
  return (
    <div class="to-start lines gap-2">
      {rows.map(([name, value], index) => (
        <div key={index} class="pair lines gap-2">
          <input
            class="input mono"
            aria-label={`Name of ${noun} ${index + 1}`}
            placeholder={placeholder}
            value={name}
            spellcheck={false}
            onInput={({ currentTarget }) => put(rows.with(index, [currentTarget.value, value]))}
          />
          {children(value, (next) => put(rows.with(index, [name, next])), `Value of ${noun} ${index + 1}`, name)}
          <Button
            look="plain"
            icon="close"
            label={`Remove ${noun} ${index + 1}`}
            onClick={() => put(rows.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button text={`Add a ${noun}`} icon="plus" onClick={() => setRows([...rows, ['', initial]])} />
    </div>
  );
}
