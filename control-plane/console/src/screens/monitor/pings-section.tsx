import type { PingView } from '@watchpost/control-plane/capabilities/heartbeats/ping-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useLocation } from 'preact-iso';
import { pageOf, paramsOf } from '../../data/address.js';
import { useResource } from '../../data/use-resource.js';
import { capitalized, durationText, latencyText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { Pager } from '../../parts/pager.js';
import { StateMark } from '../../parts/state-mark.js';
import { Table, type Column } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import type { Range } from './range.js';
import { useReloadAfter } from './use-reload-after.js';

const PAGE_SIZE = 20;
const LOOKS = { success: 'available', start: 'unknown', fail: 'unavailable', log: 'unknown' } as const;

const COLUMNS: Column<PingView>[] = [
  { key: 'at', label: 'Time', width: 'narrow', cell: ({ at }) => <Time at={at} as="second" /> },
  {
    key: 'kind',
    label: 'Report',
    width: 'narrow',
    cell: ({ kind }) => (
      <span class="result-outcome">
        <span aria-hidden="true">
          <StateMark state={LOOKS[kind]} isQuiet />
        </span>{' '}
        {capitalized(kind)}
      </span>
    ),
  },
  { key: 'code', label: 'Exit code', isNumber: true, width: 'narrow', cell: ({ exitCode }) => exitCode ?? '–' },
  {
    key: 'runtime',
    label: 'Run took',
    isNumber: true,
    width: 'narrow',
    cell: ({ runtimeMs: ms }) => (ms === null || ms < 60_000 ? latencyText(ms) : durationText(ms)),
  },
  { key: 'from', label: 'From', width: 'narrow', from: 1024, cell: ({ remoteAddress }) => remoteAddress ?? '–' },
  {
    key: 'body',
    label: 'Output',
    width: 'wide',
    isPlain: true,
    cell: ({ body }) =>
      body === null ? (
        <span class="soft">–</span>
      ) : (
        <details class="ping-body">
          <summary>{body.trimEnd().split('\n').at(-1)!.slice(-80)}</summary>
          <pre>{body}</pre>
        </details>
      ),
  },
];

/** What the job reported in the range, newest first. */
export function PingsSection({ monitor, range }: { monitor: MonitorView; range: Range }) {
  const page = pageOf(paramsOf(useLocation().url));
  const pings = useResource<PingView[]>(`/api/v1/monitor/${monitor.id}/pings`, {
    ...range.query,
    page,
    pageSize: PAGE_SIZE,
  });
  useReloadAfter(monitor.heartbeat?.lastPing ?? null, pings.reload);
  return (
    <Loaded of={pings} rows={3}>
      {(rows) =>
        rows.length === 0 ? (
          <p class="card card-body soft">No report in this range.</p>
        ) : (
          <>
            <Table
              label="Reports, newest first"
              rows={rows}
              columns={COLUMNS}
              rowKey={({ at, kind, rid }) => `${at} ${kind} ${rid}`}
              isStale={pings.isPrevious}
            />
            <Pager page={page} pageSize={PAGE_SIZE} total={pings.total ?? rows.length} />
          </>
        )
      }
    </Loaded>
  );
}
