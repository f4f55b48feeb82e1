import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { RegionView } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import type { CheckResultView } from '@watchpost/control-plane/capabilities/figures/reading/check-result-schemas';
import { useLocation } from 'preact-iso';
import { addressWith, pageOf, paramsOf } from '../../data/address.js';
import { useResource } from '../../data/use-resource.js';
import { latencyText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { Pager } from '../../parts/pager.js';
import { StateMark } from '../../parts/state-mark.js';
import { Table, type Column } from '../../parts/table.js';
import { Tabs } from '../../parts/tabs.js';
import { Time } from '../../parts/time.js';
import type { Range } from './range.js';
import { placeOf } from './use-plan.js';
import { useReloadAfter } from './use-reload-after.js';

const PAGE_SIZE = 20;
const OUTCOMES = { up: 'available', down: 'unavailable', inconclusive: 'unknown' } as const;
const WORDS = { up: 'Up', down: 'Down', inconclusive: 'Inconclusive' } as const;
const KINDS: Readonly<Record<string, string>> = {
  http: 'HTTP',
  ssl: 'Certificate',
  dns: 'DNS',
  tcp: 'TCP',
  udp: 'UDP',
};

/** The results of the range, newest first; the address has the outcome (`outcome=down`), the region and the page. */
export function ResultsSection(props: {
  monitor: MonitorView;
  range: Range;
  regions: readonly RegionView[] | undefined;
}) {
  const { monitor, range, regions } = props;
  const { url } = useLocation();
  const params = paramsOf(url);
  const page = pageOf(params);
  const given = params.get('outcome');
  const outcome = given !== null && Object.hasOwn(OUTCOMES, given) ? given : undefined;
  const results = useResource<CheckResultView[]>(`/api/v1/monitor/${monitor.id}/results`, {
    ...range.query,
    outcome,
    page: page === 1 ? undefined : page,
    pageSize: PAGE_SIZE,
  });
  useReloadAfter(monitor.lastChecked, page === 1 ? results.reload : undefined);
  const to = (next?: string) => addressWith(url, { page: undefined, outcome: next });
  // Latency is measured by the HTTP check.
  const hasKinds = monitor.monitorTypes.filter((type) => type !== 'Latency').length > 1;
  const columns: Column<CheckResultView>[] = [
    { key: 'at', label: 'Time', width: 'narrow', cell: ({ scheduledAt }) => <Time at={scheduledAt} as="second" /> },
    {
      key: 'outcome',
      label: 'Outcome',
      width: 'narrow',
      cell: ({ outcome: own }) => (
        <span class="result-outcome">
          <span aria-hidden="true">
            <StateMark state={OUTCOMES[own]} isQuiet />
          </span>{' '}
          {WORDS[own]}
        </span>
      ),
    },
    { key: 'region', label: 'Region', width: 'narrow', cell: ({ region }) => placeOf(regions, region) },
    ...(hasKinds
      ? [
          {
            key: 'kind',
            label: 'Check',
            width: 'narrow',
            cell: ({ kind }) => KINDS[kind] ?? kind,
          } as Column<CheckResultView>,
        ]
      : []),
    { key: 'code', label: 'Code', isNumber: true, width: 'narrow', cell: ({ statusCode }) => statusCode ?? '–' },
    {
      key: 'time',
      label: 'Time taken',
      isNumber: true,
      width: 'narrow',
      cell: ({ responseTime }) => latencyText(responseTime),
    },
    { key: 'why', label: 'What was found', width: 'wide', isPlain: true, cell: (result) => <Found result={result} /> },
  ];
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
      <Loaded of={results} rows={10}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="card card-body soft">
              {outcome === undefined
                ? 'No results in this range.'
                : `No result in this range is ${WORDS[given as 'up'].toLowerCase()}.`}{' '}
              Single results are kept for a limited time.
            </p>
          ) : (
            <>
              <Table
                label="Results, newest first"
                rows={rows}
                columns={columns}
                rowKey={({ scheduledAt, region, kind }) => `${scheduledAt} ${region} ${kind}`}
                isStale={results.isPrevious}
              />
              <Pager page={page} pageSize={PAGE_SIZE} total={results.total ?? rows.length} />
            </>
          )
        }
      </Loaded>
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
