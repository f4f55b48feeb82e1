import type { ReportScheduleView } from '@watchpost/control-plane/capabilities/reports/report-schemas';
import type { Workspace } from '@watchpost/control-plane/capabilities/workspaces/workspace-schemas';
import { useLocation } from 'preact-iso';
import { paramsOf, addressWith, queryText } from '../../data/address.js';
import { change, useResource } from '../../data/resources.js';
import { hasRole, pathTo, workspaceId } from '../../data/session.js';
import { useKeys, Screen } from '../../frame/screen.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { EmptyState, newMonitorLink, NoMatch } from '../../parts/loaded.js';
import { FilterBox } from '../../parts/filter-box.js';
import { countText } from '../../parts/format.js';
import { List, usePage, type Columns } from '../../parts/table.js';
import { Tabs } from '../../parts/section.js';
import { Time } from '../../parts/marks.js';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useMemo } from 'preact/hooks';
import { nowMs } from '../../data/clock.js';
import { DateRange } from '../../parts/date-input.js';
import { Choice } from '../../parts/inputs.js';
import { boundsOf, PERIODS, readChoice } from './report-period.js';

const SHOWN_RECIPIENTS = 2;
const KINDS = [
  { kind: 'daily', field: 'dailyReport', label: 'Daily' },
  { kind: 'weekly', field: 'weeklyReport', label: 'Weekly' },
  { kind: 'monthly', field: 'monthlyReport', label: 'Monthly' },
] as const;

/** A report of a monitor now, and which reports are sent by themselves. */
export function ReportsScreen() {
  const { url, route } = useLocation();
  const query = paramsOf(url);
  const isScheduled = query.get('show') === 'scheduled';
  const search = query.get('search') ?? '';
  const read = usePage<ReportScheduleView>('/api/v1/report-schedules', { search, scheduled: isScheduled });
  const own = useResource<Workspace>(`/api/v1/workspaces/${workspaceId.value}`).data;
  const hrefOf = (monitorId: string) => pathTo('/reports', { ...Object.fromEntries(query), monitor: monitorId });
  useKeys([{ key: 's', label: 'Show the report of the monitor', run: (id) => id && route(hrefOf(id)) }]);
  const chosen = read.data?.find(({ monitorId }) => monitorId === query.get('monitor'));
  return (
    <Screen
      title="Reports"
      lead={
        <p class="soft">
          Sent at 06:00{own && ` in ${own.settings.timezone}`}: daily, Mondays, and the 1st.{' '}
          {hasRole('Admin') && <a href={pathTo('/settings/workspace')}>Change the zone</a>}
        </p>
      }
    >
      {query.has('monitor') && <ReportView key={query.get('monitor')} name={chosen?.monitorName} />}
      <Tabs
        label="Which monitors"
        tabs={[
          { href: pathTo('/reports'), label: 'All', isCurrent: !isScheduled },
          { href: pathTo('/reports', { show: 'scheduled' }), label: 'Scheduled', isCurrent: isScheduled },
        ]}
      />
      <div class="list-tools wrap center gap-2-4 above-3 below-3">
        <FilterBox names={[]} label="Filter monitors" placeholder="Name" />
        <span class="soft num" role="status">
          {read.total === null ? '' : countText(read.total, 'monitor')}
        </span>
      </div>
      <List
        of={read}
        room={8}
        none={
          search !== '' || read.page > 1 ? (
            <NoMatch all={pathTo('/reports')}>No monitor has that in its name.</NoMatch>
          ) : (
            <None isScheduled={isScheduled} />
          )
        }
        label="Reports by monitor"
        columns={columns()}
        rowKey={({ monitorId }) => monitorId}
        rowHref={({ monitorId }) => hrefOf(monitorId)}
      />
      {read.data !== undefined && read.data.length > 0 && (
        <p class="soft small">An address that has to confirm first gets no report until it has.</p>
      )}
    </Screen>
  );
}

function columns(): Columns<ReportScheduleView> {
  return {
    Monitor: { width: 'wide', cell: ({ monitorName }) => monitorName },
    ...Object.fromEntries(
      KINDS.map((each) => [each.label, { width: 'narrow', cell: (row) => <Scheduled kind={each} of={row} /> }]),
    ),
    Next: {
      width: 'narrow',
      cell: ({ next }) => {
        const [first] = Object.values(next)
          .filter((at) => at !== null)
          .toSorted();
        return first === undefined ? <span class="soft">Never</span> : <Time at={first} as="moment" />;
      },
    },
    To: { width: 'wide', cell: (row) => <Recipients {...row} /> },
  };
}

function Scheduled({ kind: { kind, field, label }, of }: { kind: (typeof KINDS)[number]; of: ReportScheduleView }) {
  const { monitorId, monitorName, next } = of;
  const isOn = next[kind] !== null;
  if (!hasRole('Editor')) return <span class={isOn ? undefined : 'soft'}>{isOn ? 'Yes' : 'No'}</span>;
  return (
    <input
      type="checkbox"
      role="switch"
      class="reports-switch"
      aria-label={`${label} report of ${monitorName}`}
      checked={isOn}
      onChange={() => void schedule(monitorId, monitorName, field, label, !isOn)}
    />
  );
}

function Recipients({ recipients, recipientCount, isToOwner }: ReportScheduleView) {
  const rest = recipientCount - SHOWN_RECIPIENTS;
  return (
    <span class="lines normal" title={recipients.join('\n')}>
      {recipients.slice(0, SHOWN_RECIPIENTS).join(', ')}
      {rest > 0 && ` and ${rest} more`}
      {isToOwner && <span class="soft small">The owner: no email group of the monitor has an address</span>}
    </span>
  );
}

async function schedule(id: string, name: string, field: string, label: string, isOn: boolean): Promise<void> {
  try {
    await change('PUT', `/api/v1/monitor/${id}`, { body: { reporting: { [field]: isOn } } });
    toast(`${label} report of ${name}: ${isOn ? 'on' : 'off'}`);
  } catch (error) {
    toastFault(error);
  }
}

function None({ isScheduled }: { isScheduled: boolean }) {
  if (isScheduled) {
    return (
      <EmptyState
        icon="reports"
        title="No report is sent by itself"
        action={<Button text="All monitors" href={pathTo('/reports')} />}
      >
        Switch it on for a monitor: daily, weekly or monthly.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="reports" title="There is nothing to report on yet" action={newMonitorLink('primary')}>
      A report has uptime, latency and incidents of a monitor.
    </EmptyState>
  );
}

/** The report of the monitor of the address over its period, in a frame; its own address is for printing. */
function ReportView({ name: known }: { name: string | undefined }) {
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
      <header class="row between pad-3-4 line-below">
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
          {choice.period === 'custom' && (
            <DateRange
              label="Period of the report"
              names={['First day', 'Last day']}
              values={[choice.from, choice.to]}
              onChange={(from, to) => go({ from, to })}
            />
          )}
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
        <iframe key={src} class="height-40" title={`Report of ${name ?? 'the monitor'}`} src={src} sandbox="" />
      ) : (
        <p class="card-body soft">Choose the first and the last day.</p>
      )}
    </section>
  );
}
