import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useState } from 'preact/hooks';
import { useResource } from '../data/use-resource.js';
import { Button } from './button.js';
import type { FieldControl } from './field-control.js';
import { Icon } from './icon.js';
import { useLater } from './use-later.js';

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
    <div class="monitors-input">
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
      <div class="monitors-offered">
        {offered.map(({ id: own, name }) => (
          <Button key={own} icon="plus" onClick={() => onChange([...values, own])}>
            {name}
          </Button>
        ))}
        {text.trim() !== '' && found.data?.length === 0 && (
          <span class="soft small">No monitor has that in its name or URL.</span>
        )}
      </div>
    </div>
  );
}

function Chosen({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { data, fault } = useResource<MonitorView>(`/api/v1/monitor/${id}`);
  const name = data?.name ?? (fault === undefined ? '…' : 'a deleted monitor');
  return (
    <span class="chip">
      {name}
      <button type="button" aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </span>
  );
}
