import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useState } from 'preact/hooks';
import { useResource } from '../data/use-resource.js';
import { Button } from './button.js';
import { Icon } from './icon.js';
import { useLater } from './use-later.js';

const OFFERED = 8;
const SHOWN = 40;

interface MonitorsInputProps {
  id: string;
  /** Ids. */
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** What is not offered: the monitor itself. */
  without?: string;
  describedBy?: string | undefined;
}

/** Several monitors, found by name or URL. */
export function MonitorsInput({ id, values, onChange, without, describedBy }: MonitorsInputProps) {
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
        id={id}
        class="input"
        type="search"
        value={text}
        placeholder="Find a monitor by name or URL"
        autocomplete="off"
        aria-describedby={describedBy}
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
