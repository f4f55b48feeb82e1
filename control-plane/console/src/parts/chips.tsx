import { useState } from 'preact/hooks';
import { useResource } from '../data/use-resource.js';
import type { FieldControl } from './field-control.js';
import { Icon } from './icon.js';

/** Words such as tags. With `hrefOf`, each leads to what else has it. */
export function Chips({ values, hrefOf }: { values: readonly string[]; hrefOf?: (value: string) => string }) {
  return (
    <span class="chips">
      {values.map((value) =>
        hrefOf ? (
          <a key={value} class="chip" href={hrefOf(value)}>
            {value}
          </a>
        ) : (
          <span key={value} class="chip">
            {value}
          </span>
        ),
      )}
    </span>
  );
}

/** Tags, for `Field`: Enter, a comma or leaving the field adds one, Backspace in the empty field removes the last. */
export function TagsInput({ control, placeholder }: { control: FieldControl; placeholder: string }) {
  const { label, set: onChange, attributes } = control;
  const values = control.value as readonly string[];
  const known = useResource<{ tag: string }[]>('/api/v1/tags', { pageSize: 100 }).data ?? [];
  const [text, setText] = useState('');
  const add = () => {
    const words = text
      .split(/[,\s]+/)
      .map((word) => word.trim().toLowerCase())
      .filter((word) => word !== '');
    setText('');
    if (words.length > 0) onChange([...new Set([...values, ...words])]);
  };
  const listId = `${attributes.id}-known`;
  return (
    <span class="input chips-input">
      {values.map((value) => (
        <span key={value} class="chip">
          {value}
          <button
            type="button"
            aria-label={`Remove ${value}`}
            onClick={() => onChange(values.filter((each) => each !== value))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <input
        {...attributes}
        value={text}
        list={listId}
        aria-label={label}
        placeholder={values.length === 0 ? placeholder : undefined}
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === ',') {
            if (text.trim() === '' && event.key === 'Enter') return;
            event.preventDefault();
            add();
          } else if (event.key === 'Backspace' && text === '') onChange(values.slice(0, -1));
        }}
      />
      <datalist id={listId}>
        {known
          .filter(({ tag }) => !values.includes(tag))
          .map(({ tag }) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
    </span>
  );
}
