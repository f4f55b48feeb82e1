import { factsOf, MONITOR_TYPES } from '@watchpost/shared/monitor-types';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { CheckResultView } from '@watchpost/control-plane/capabilities/figures/reading/check-result-schemas';
import { useLocation } from 'preact-iso';
import { addressWith, paramsOf } from '../../data/address.js';
import { latencyText } from '../../parts/format.js';
import { List, usePage, type Columns } from '../../parts/table.js';
import { StateMark, Time } from '../../parts/marks.js';
import { Tabs } from '../../parts/section.js';
import type { Range } from './range.js';
import { usePlaces, useReloadAfter } from './reading.js';

const PAGE_SIZE = 20;
const OUTCOMES = { up: 'available', down: 'unavailable', inconclusive: 'unknown' } as const;
const WORDS = { up: 'Up', down: 'Down', inconclusive: 'Inconclusive' } as const;
/** By the kind of check; types that share one are named by the first. */
const KINDS = new Map<string | null, string>(
  MONITOR_TYPES.toReversed().map((type) => [factsOf(type).kind, factsOf(type).label]),
);

/** The results of the range, newest first; the address has the outcome (`outcome=down`), the region and the page. */
export function ResultsSection({ monitor, range }: { monitor: MonitorView; range: Range }) {
  const placeOf = usePlaces();
  const { url } = useLocation();
  const params = paramsOf(url);
  const given = params.get('outcome');
  const outcome = given !== null && Object.hasOwn(OUTCOMES, given) ? given : undefined;
  const path = `/api/v1/monitor/${monitor.id}/results`;
  const results = usePage<CheckResultView>(path, { ...range.query, outcome }, PAGE_SIZE);
  useReloadAfter(monitor.lastChecked, results.page === 1 ? results.reload : undefined);
  const to = (next?: string) => addressWith(url, { page: undefined, outcome: next });
  // Latency is measured by the HTTP check.
  const hasKinds = monitor.monitorTypes.filter((type) => type !== 'Latency').length > 1;
  const columns: Columns<CheckResultView> = {
    Time: { width: 'narrow', cell: ({ scheduledAt }) => <Time at={scheduledAt} as="second" /> },
    Outcome: {
      width: 'narrow',
      cell: ({ outcome: own }) => (
        <span class="nowrap">
          <span aria-hidden="true">
            <StateMark state={OUTCOMES[own]} isQuiet />
          </span>{' '}
          {WORDS[own]}
        </span>
      ),
    },
    Region: { width: 'narrow', cell: ({ region }) => placeOf(region) },
    ...(hasKinds && { Check: { width: 'narrow', cell: ({ kind }) => KINDS.get(kind) ?? kind } }),
    ...(monitor.monitorTypes.includes('Ping')
      ? { Answers: { isNumber: true, cell: ({ packets }) => packets && `${packets.received} of ${packets.sent}` } }
      : { Code: { isNumber: true, cell: ({ statusCode }) => statusCode ?? '–' } }),
    'Time taken': { isNumber: true, cell: ({ responseTime }) => latencyText(responseTime) },
    'What was found': { width: 'wide', isPlain: true, cell: (result) => <Found result={result} /> },
  };
  return (
    <div class="stack">
      <Tabs
        label="Outcome"
        tabs={[
          { href: to(), label: 'All', isCurrent: outcome === undefined },
          ...(['up', 'down', 'inconclusive'] as const).map((each) => ({
            href: to(each),
            label: WORDS[each],
            isCurrent: outcome === each,
          })),
        ]}
      />
      <List
        of={results}
        room={10}
        none={
          <p class="card card-body soft">
            {outcome === undefined
              ? 'No results in this range.'
              : `No result in this range is ${WORDS[given as 'up'].toLowerCase()}.`}{' '}
            Single results are kept for a limited time.
          </p>
        }
        label="Results, newest first"
        columns={columns}
        rowKey={({ scheduledAt, region, kind }) => `${scheduledAt} ${region} ${kind}`}
      />
    </div>
  );
}

function Found({ result: { failure, phases, outcome } }: { result: CheckResultView }) {
  if (failure !== null) {
    return (
      <>
        {failure.message}
        {failure.address !== null && <span class="soft small mono"> {failure.address}</span>}
      </>
    );
  }
  if (outcome === 'inconclusive') return <span class="soft">The agent was at fault: it does not count.</span>;
  const parts = [
    ['DNS', phases.dns],
    ['connect', phases.connect],
    ['TLS', phases.tls],
    ['first byte', phases.firstByte],
    ['transfer', phases.transfer],
  ] as const;
  return (
    <span class="soft small">
      {parts
        .filter(([, ms]) => ms > 0)
        .map(([name, ms]) => `${name} ${latencyText(ms)}`)
        .join(' · ')}
    </span>
  );
}
