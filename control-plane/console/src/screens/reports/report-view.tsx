import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addressWith, paramsOf, queryText } from '../../data/address.js';
import { nowMs } from '../../data/clock.js';
import { workspaceId } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { Button } from '../../parts/button.js';
import { Choice, DayInput } from '../../parts/inputs.js';
import { boundsOf, PERIODS, readChoice } from './report-period.js';

/** The report of the monitor of the address over its period, in a frame; its own address is for printing. */
export function ReportView({ name: known }: { name: string | undefined }) {
  const { url, route } = useLocation();
  const choice = readChoice(paramsOf(url));
  const monitor = useResource<MonitorView>(
    known === undefined ? `/api/v1/monitor/${encodeURIComponent(choice.monitorId)}` : null,
  );
  const name = known ?? monitor.data?.name;
  const bounds = useMemo(() => boundsOf(choice, nowMs()), [url]);
  const go = (changes: Record<string, string | undefined>) => route(addressWith(url, changes), true);
  const src =
    bounds &&
    `/api/v1/workspaces/${workspaceId.value}/monitor/${encodeURIComponent(choice.monitorId)}/report${queryText(bounds)}`;
  return (
    <section class="reports-view below-5 clip card" aria-label={`Report of ${name ?? 'the monitor'}`}>
      <header class="row between">
        <h2>{name ?? 'Report'}</h2>
        <span class="row">
          <label class="row">
            <span class="unseen">Period</span>
            <Choice
              options={PERIODS}
              value={choice.period}
              onChange={(period) => go({ period, from: undefined, to: undefined })}
            />
          </label>
          {choice.period === 'custom' &&
            (['from', 'to'] as const).map((end) => (
              <label key={end} class="row">
                <span class="unseen">{end === 'from' ? 'First day' : 'Last day'}</span>
                <DayInput value={choice[end]} onChange={(day) => go({ [end]: day })} />
              </label>
            ))}
          {src && <Button text="Open to print" icon="link" href={src} isOutside />}
          <Button
            look="plain"
            icon="close"
            label="Close the report"
            onClick={() => go({ monitor: undefined, period: undefined, from: undefined, to: undefined })}
          />
        </span>
      </header>
      {src ? (
        <iframe key={src} title={`Report of ${name ?? 'the monitor'}`} src={src} sandbox="" />
      ) : (
        <p class="card-body soft">Choose the first and the last day.</p>
      )}
    </section>
  );
}
