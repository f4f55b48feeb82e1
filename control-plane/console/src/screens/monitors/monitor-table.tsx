import { DAY_MS } from '@watchpost/shared/time';
import type { Signal } from '@preact/signals';
import { now } from '../../data/clock.js';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { chartsAddress } from '../../data/address.js';
import type { MonitorChart } from '@watchpost/control-plane/capabilities/figures/reading/chart-schemas';
import { pauseOrResume } from '../../frame/acting.js';
import { pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { useKeys } from '../../frame/screen.js';
import { Chips } from '../../parts/section.js';
import { latencyText, percentText } from '../../parts/format.js';
import { hasUptime } from '../../parts/has-uptime.js';
import { isNearExpiry } from '../../parts/near-expiry.js';
import { Sparkline, StateBar } from '../../parts/state-bar.js';
import { StateMark, Time } from '../../parts/marks.js';
import { stateOf, stateWord } from '../../parts/state.js';
import { Table, type Columns } from '../../parts/table.js';

interface MonitorTableProps {
  monitors: readonly MonitorView[];
  /** The bars are read for these; default: the items. */
  page?: readonly MonitorView[];
  label: string;
  selected?: Signal<ReadonlySet<string>>;
  sort?: { current: string; hrefOf: (sort: string) => string };
  isStale?: boolean;
}

const SHOWN_TAGS = 1;

/** A page of monitors. One request brings all their bars and sparklines. */
export function MonitorTable(props: MonitorTableProps) {
  const { monitors, page = monitors, label, selected, sort, isStale = false } = props;
  const charts = useResource<MonitorChart[]>(page.length === 0 ? null : chartsAddress(page.map(({ id }) => id)));
  useKeys([
    {
      key: 'p',
      label: 'Pause or resume the monitor',
      run: (id) => {
        const monitor = monitors.find((each) => each.id === id);
        if (monitor && monitor.monitoringStatus !== 'disabled') void pauseOrResume(monitor);
      },
    },
  ]);
  const chartOf = new Map(charts.data?.map((chart) => [chart.monitorId, chart]));
  const columns: Columns<MonitorView> = {
    Name: { sort: 'name', cell: (monitor) => <Name monitor={monitor} /> },
    State: {
      sort: 'health',
      width: 'narrow',
      isPlain: true,
      cell: (monitor) => <StateMark state={stateOf(monitor)} word={stateWord(monitor)} />,
    },
    'Last 24 h': {
      sort: 'uptime',
      width: 'chart',
      cell: ({ id, name, monitorTypes }) => {
        if (!hasUptime(monitorTypes)) return '–';
        const chart = chartOf.get(id);
        return chart ? <StateBar bar={chart.bar} label={name} /> : <div class="height-1.375" />;
      },
    },
    p95: {
      sort: '-p95',
      width: 'narrow',
      from: 1024,
      cell: ({ id, name, lastDay }) => {
        const chart = chartOf.get(id);
        // Until there is one of 24 hours, which the order is by, the latest hour is nearly all that there is.
        const p95 = lastDay?.p95 ?? chart?.latency.p95.findLast((value) => value !== null);
        return (
          <div class="flex center gap-2 tall-1.5">
            <div class="width-4">
              {chart && <Sparkline points={chart.latency.p95} label={`Latency p95 of ${name}`} />}
            </div>
            {p95 !== undefined && <span class="num">{latencyText(p95)}</span>}
          </div>
        );
      },
    },
    '30 days': {
      isNumber: true,
      from: 768,
      // A few checks of a monitor that is younger than a day would make any number.
      cell: ({ id, created }) =>
        percentText(now.peek() - Date.parse(created) < DAY_MS ? null : chartOf.get(id)?.uptime30Days),
    },
    Certificate: {
      sort: 'certificate',
      isNumber: true,
      from: 1280,
      isEmpty: ({ sslStatus }) => (sslStatus?.daysUntilExpiry ?? null) === null,
      cell: ({ sslStatus }) => <Certificate status={sslStatus} />,
    },
    'Last check': {
      sort: 'lastChecked',
      isNumber: true,
      from: 1024,
      cell: ({ lastChecked, heartbeat }) => {
        const at = heartbeat?.lastPing ?? lastChecked;
        return at ? <Time at={at} /> : '–';
      },
    },
  };
  return (
    <Table
      label={label}
      rows={monitors}
      columns={columns}
      rowHref={({ id }) => pathTo(`/monitors/${id}`)}
      rowName={({ name }) => name}
      isStale={isStale}
      {...(selected && { selected })}
      {...(sort && { sort })}
    />
  );
}

function Name({ monitor: { name, url, tags } }: { monitor: MonitorView }) {
  const address = (url ?? name).replace(/^https?:\/\//, '').replace(/\/$/, '');
  return (
    <span class="monitor-name">
      <span class="monitor-title row">{name}</span>
      <span class="monitor-more flex center gap-2">
        {address !== name && <span class="soft small monitor-address cut normal">{address}</span>}
        {tags.length > 0 && <Chips values={tags.slice(0, SHOWN_TAGS)} />}
        {tags.length > SHOWN_TAGS && (
          <span class="soft small nowrap rigid" title={tags.slice(SHOWN_TAGS).join(', ')}>
            +{tags.length - SHOWN_TAGS}
          </span>
        )}
      </span>
    </span>
  );
}

function Certificate({ status }: { status: MonitorView['sslStatus'] }) {
  const days = status?.daysUntilExpiry ?? null;
  if (status === null || days === null) return <span class="soft">–</span>;
  if (days < 0) return <span class="state-unavailable">expired</span>;
  return <span class={isNearExpiry(status) ? 'state-partial' : undefined}>{days} d</span>;
}
