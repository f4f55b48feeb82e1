import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { Fragment } from 'preact';
import { pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';

/** The monitors whose outage explains a failure of this one. */
export function DependsOn({ ids }: { ids: readonly string[] }) {
  return (
    <span class="depends-on cut">
      Depends on{' '}
      {ids.map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Cause id={id} />
        </Fragment>
      ))}
    </span>
  );
}

function Cause({ id }: { id: string }) {
  const { data } = useResource<MonitorView>(`/api/v1/monitor/${id}`);
  return <a href={pathTo(`/monitors/${id}`)}>{data?.name ?? 'another monitor'}</a>;
}
