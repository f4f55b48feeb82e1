import type { PingView } from '@watchpost/control-plane/capabilities/pings/ping-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { capitalized, durationText, latencyText } from '../../parts/format.js';
import { List, usePage, type Column } from '../../parts/table.js';
import { StateMark, Time } from '../../parts/marks.js';
import type { Range } from './range.js';
import { useReloadAfter } from './reading.js';

const PAGE_SIZE = 20;
const LOOKS = { success: 'available', start: 'unknown', fail: 'unavailable', log: 'unknown' } as const;

const COLUMNS: Column<PingView>[] = [
  { label: 'Time', width: 'narrow', cell: ({ at }) => <Time at={at} as="second" /> },
  {
    label: 'Report',
    width: 'narrow',
    cell: ({ kind }) => (
      <span class="nowrap">
        <span aria-hidden="true">
          <StateMark state={LOOKS[kind]} isQuiet />
        </span>{' '}
        {capitalized(kind)}
      </span>
    ),
  },
  { label: 'Exit code', isNumber: true, cell: ({ exitCode }) => exitCode ?? '–' },
  {
    label: 'Run took',
    isNumber: true,
    cell: ({ runtimeMs: ms }) => (ms === null || ms < 60_000 ? latencyText(ms) : durationText(ms)),
  },
  { label: 'From', width: 'narrow', from: 1024, cell: ({ remoteAddress }) => remoteAddress ?? '–' },
  {
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
  const pings = usePage<PingView>(`/api/v1/monitor/${monitor.id}/pings`, { ...range.query }, PAGE_SIZE);
  useReloadAfter(monitor.heartbeat?.lastPing ?? null, pings.reload);
  return (
    <List
      of={pings}
      room={3}
      none={<p class="card card-body soft">No report in this range.</p>}
      label="Reports, newest first"
      columns={COLUMNS}
      rowKey={({ at, kind, rid }) => `${at} ${kind} ${rid}`}
    />
  );
}
