import { MINUTE_MS } from '@watchpost/shared/time';
import type { PingView } from '@watchpost/control-plane/capabilities/pings/ping-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { capitalized, durationText, latencyText } from '../../parts/format.js';
import { List, usePage, type Columns } from '../../parts/table.js';
import { StateMark, Time } from '../../parts/marks.js';
import type { Range } from './range.js';
import { useReloadAfter } from './reading.js';
import { PING_SNIPPETS } from '@watchpost/shared/ping-snippets';
import { useState } from 'preact/hooks';
import { change } from '../../data/resources.js';
import { toast } from '../../frame/toasts.js';
import { ask } from '../../parts/dialog.js';
import { Button, CopyButton } from '../../parts/button.js';
import { Choice } from '../../parts/inputs.js';

const PAGE_SIZE = 20;
const LOOKS = { success: 'available', start: 'unknown', fail: 'unavailable', log: 'unknown' } as const;

const COLUMNS: Columns<PingView> = {
  Time: { width: 'narrow', cell: ({ at }) => <Time at={at} as="second" /> },
  Report: {
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
  'Exit code': { isNumber: true, cell: ({ exitCode }) => exitCode ?? '–' },
  'Run took': {
    isNumber: true,
    cell: ({ runtimeMs: ms }) => (ms === null || ms < MINUTE_MS ? latencyText(ms) : durationText(ms)),
  },
  From: { width: 'narrow', from: 1024, cell: ({ remoteAddress }) => remoteAddress ?? '–' },
  Output: {
    width: 'wide',
    isPlain: true,
    cell: ({ body }) =>
      body === null ? (
        <span class="soft">–</span>
      ) : (
        <details class="ping-body">
          <summary>{body.trimEnd().split('\n').at(-1)!.slice(-80)}</summary>
          <pre class="flush sunken pad-3 small pre">{body}</pre>
        </details>
      ),
  },
};

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

/** Where the job reports, and how: ready to paste. */
export function PingUrlSection({ monitor: { id, name, heartbeat } }: { monitor: MonitorView }) {
  const [shown, setShown] = useState(0);
  const pingUrl = heartbeat?.pingUrl ?? null;
  if (pingUrl === null) {
    return <p class="card card-body soft">Editors and above see the ping URL: who knows it can report.</p>;
  }
  const snippet = PING_SNIPPETS[shown]!;
  const text = snippet.text.replaceAll('PING_URL', pingUrl);
  const rotate = () =>
    ask({
      title: `Replace the ping URL of ${name}?`,
      action: 'Replace',
      consequences: [
        'The present URL is refused at once.',
        'The job has to be given the new one before its next run, or it counts as late.',
      ],
      onConfirm: () =>
        change('POST', `/api/v1/monitor/${id}/heartbeat/rotate`).then(() => toast(`New ping URL: ${name}`)),
    });
  return (
    <div class="card card-body stack">
      <p class="row">
        <code class="fill-16">{pingUrl}</code>
        <CopyButton text={pingUrl} label="Copy URL" />
        <Button text="Replace" icon="refresh" onClick={rotate} />
      </p>
      <p class="soft small">
        Call the URL on success; add /fail or /&lt;exit code&gt; on failure, and /start when a run begins. Treat it like
        a password.
      </p>
      <div class="with-end lines gap-2">
        <Choice
          label="How the job runs"
          options={PING_SNIPPETS.map(({ title }, value) => ({ value, label: title }))}
          value={shown}
          onChange={(index) => setShown(Number(index))}
        />
        <CopyButton text={text} label="Copy snippet" />
        <pre class="across flush sunken pad-3 small pre">{text}</pre>
      </div>
    </div>
  );
}
