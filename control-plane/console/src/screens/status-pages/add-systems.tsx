import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useState } from 'preact/hooks';
import { WHOLE } from '../../data/address.js';
import { pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { Button } from '../../parts/button.js';
import { Labelled } from '../../parts/inputs.js';
import { Dialog, useClose } from '../../parts/dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { useLater } from '../../parts/use-later.js';
import type { FormModel } from '../../parts/use-form.js';
import { keyOf, type EditedSystem, type PageValues } from './page-values.js';

const SHOWN = 20;

/** Finds monitors and service groups, and adds one after the other. */
export function AddSystems({ form, index }: { form: FormModel<PageValues>; index: number }) {
  const { groups: own } = form.values.value;
  const shown = new Set(own.flatMap(({ systems }) => systems.map(keyOf)));
  const close = useClose();
  const [text, setText] = useState('');
  const search = useLater(text.trim());
  const monitors = useResource<MonitorView[]>('/api/v1/monitor', { search, sort: 'name', pageSize: SHOWN });
  const groups = useResource<{ id: string; name: string }[]>('/api/v1/service-group', WHOLE);
  const add = (name: string, ids: Pick<EditedSystem, 'monitorId' | 'serviceGroupId'>) => {
    const path = `groups.${index}.systems`;
    const system = { name, ...ids, overrideStatus: null, overrideMessage: null };
    form.set(path, [...(form.get(path) as EditedSystem[]), system]);
  };
  const found = groups.data?.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())).slice(0, SHOWN);
  return (
    <Dialog title={`Add systems to ${own[index]?.name ?? ''}`}>
      <Labelled label="Find monitors and service groups">
        <input
          class="input"
          type="search"
          value={text}
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </Labelled>
      <Loaded of={monitors}>
        {(rows) => (
          <>
            {found && found.length > 0 && (
              <Choices
                label="Service groups"
                rows={found}
                shown={shown}
                onAdd={({ id, name }) => add(name, { monitorId: null, serviceGroupId: id })}
              />
            )}
            {rows.length > 0 ? (
              <Choices
                label="Monitors"
                rows={rows}
                shown={shown}
                onAdd={({ id, name }) => add(name, { monitorId: id, serviceGroupId: null })}
              />
            ) : search === '' ? (
              <p class="soft">
                There is no monitor yet. <a href={pathTo('/monitors/new')}>Add the first one.</a>
              </p>
            ) : (
              <p class="soft">No monitor has “{search}” in its name or URL.</p>
            )}
            {(monitors.total ?? 0) > rows.length && (
              <p class="soft small">{monitors.total! - rows.length} more match: type on.</p>
            )}
          </>
        )}
      </Loaded>
      <footer class="wrap gap-2 to-right">
        <Button text="Done" look="primary" onClick={close} />
      </footer>
    </Dialog>
  );
}

function Choices<T extends { id: string; name: string }>(props: {
  label: string;
  rows: readonly T[];
  shown: ReadonlySet<string>;
  onAdd: (row: T) => void;
}) {
  const { label, rows, shown, onAdd } = props;
  return (
    <section aria-label={label}>
      <h3 class="field-label">{label}</h3>
      <ul class="status-pages-found list lines">
        {rows.map((row) => (
          <li key={row.id}>
            <span>{row.name}</span>
            {shown.has(row.id) ? (
              <span class="soft small">On the page</span>
            ) : (
              <Button icon="plus" label={`Add ${row.name}`} onClick={() => onAdd(row)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
