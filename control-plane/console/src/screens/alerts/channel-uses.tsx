import { useState } from 'preact/hooks';
import type {
  ActionGroupView,
  GroupMonitor,
} from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { change, useResource } from '../../data/resources.js';
import { pathTo } from '../../data/session.js';
import { toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';

/** The monitors that send alerts by a channel. */
export function Uses(props: { group: ActionGroupView; monitors: readonly GroupMonitor[]; mayChange: boolean }) {
  const { group, monitors, mayChange } = props;
  const [search, setSearch] = useState('');
  const found = useResource<MonitorView[]>(search.trim() === '' ? null : '/api/v1/monitor', {
    search: search.trim(),
    pageSize: 8,
  });
  const pathOf = (monitorId: string) => `/api/v1/action-groups/${group.id}/monitors/${monitorId}`;
  const others =
    search.trim() === '' ? [] : (found.data ?? []).filter(({ id }) => !monitors.some((one) => one.monitorId === id));
  return (
    <div class="stack gap-3">
      {monitors.length > 0 ? (
        <ul class="alerts-chips wrap list gap-2">
          {monitors.map(({ monitorId, name }) => (
            <li key={monitorId} class="chip">
              <a href={pathTo(`/monitors/${monitorId}`)}>{name}</a>
              {mayChange && (
                <Button
                  look="plain"
                  icon="close"
                  label={`Detach from ${name}`}
                  onClick={() => void change('DELETE', pathOf(monitorId)).catch(toastFault)}
                />
              )}
            </li>
          ))}
          {group.monitorCount > monitors.length && (
            <li class="soft">and {group.monitorCount - monitors.length} more</li>
          )}
        </ul>
      ) : (
        <p class="soft">No monitors use this channel yet.</p>
      )}
      {mayChange && (
        <>
          <input
            class="input alerts-search"
            type="search"
            placeholder="Attach a monitor: type its name"
            aria-label="Find a monitor to attach"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          {others.length > 0 && (
            <ul class="alerts-chips wrap list gap-2">
              {others.map(({ id, name }) => (
                <li key={id}>
                  <Button
                    text={name}
                    icon="plus"
                    onClick={() => {
                      setSearch('');
                      void change('POST', pathOf(id)).catch(toastFault);
                    }}
                  />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  );
}
