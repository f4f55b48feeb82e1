import { useLater } from './use-later.js';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useState } from 'preact/hooks';
import { useResource } from '../data/resources.js';
import { Button, Icon } from './button.js';
import type { FieldControl } from './inputs.js';

const OFFERED = 8;
const SHOWN = 40;

/** Several monitors by their ids, found by name or URL, for `Field`. */
export function MonitorsInput({ control, without }: { control: FieldControl; without?: string | undefined }) {
  const { set: onChange, attributes } = control;
  const values = control.value as readonly string[];
  const [text, setText] = useState('');
  const search = useLater(text.trim());
  const found = useResource<MonitorView[]>('/api/v1/monitor', { search, sort: 'name', pageSize: OFFERED });
  const offered = found.data?.filter((each) => each.id !== without && !values.includes(each.id)) ?? [];
  return (
    <div class="lines gap-2 one-column">
      {values.length > 0 && (
        <span class="chips">
          {values.slice(0, SHOWN).map((each) => (
            <Chosen key={each} id={each} onRemove={() => onChange(values.filter((other) => other !== each))} />
          ))}
          {values.length > SHOWN && <span class="soft">and {values.length - SHOWN} more</span>}
        </span>
      )}
      <input
        {...attributes}
        class="input"
        type="search"
        value={text}
        placeholder="Find a monitor by name or URL"
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div class="monitors-offered wrap gap-2">
        {offered.map(({ id: own, name }) => (
          <Button key={own} text={name} icon="plus" onClick={() => onChange([...values, own])} />
        ))}
        {text.trim() !== '' && found.data?.length === 0 && (
          <span class="soft small">No monitor has that in its name or URL.</span>
        )}
      </div>
    </div>
  );
}

/** One of what is chosen, which can be taken away. */
export function RemovableChip({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <span class="chip">
      {name}
      <button type="button" aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </span>
  );
}

function Chosen({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { data, fault } = useResource<MonitorView>(`/api/v1/monitor/${id}`);
  const name = data?.name ?? (fault === undefined ? '…' : 'a deleted monitor');
  return <RemovableChip name={name} onRemove={onRemove} />;
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
        <RemovableChip key={value} name={value} onRemove={() => onChange(values.filter((each) => each !== value))} />
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
