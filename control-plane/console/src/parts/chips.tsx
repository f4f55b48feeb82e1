import { useState } from 'preact/hooks';
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

interface ChipsInputProps {
  id?: string;
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** What is suggested. */
  known?: readonly string[];
  placeholder?: string;
  label: string;
  describedBy?: string | undefined;
}

/** A list of words: Enter, a comma or leaving the field adds one, Backspace in the empty field removes the last. */
export function ChipsInput(props: ChipsInputProps) {
  const { id, values, onChange, known = [], placeholder, label, describedBy } = props;
  const [text, setText] = useState('');
  const add = () => {
    const words = text
      .split(/[,\s]+/)
      .map((word) => word.trim().toLowerCase())
      .filter((word) => word !== '');
    setText('');
    if (words.length > 0) onChange([...new Set([...values, ...words])]);
  };
  const listId = `${id ?? label}-known`;
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
        id={id}
        value={text}
        list={listId}
        aria-label={label}
        aria-describedby={describedBy}
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
          .filter((word) => !values.includes(word))
          .map((word) => (
            <option key={word} value={word} />
          ))}
      </datalist>
    </span>
  );
}
