import { NotThere, Screen } from '../../frame/screen.js';
import { Fragment } from 'preact';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { FIRST_PAGE_ADDRESS } from '../../data/address.js';
import type { Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { countText } from '../../parts/format.js';
import { Loaded, newMonitorLink } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { lookOf } from '../../parts/state.js';
import { MonitorTable } from '../monitors/monitor-table.js';
import { AttentionList } from './attention-list.js';
import { FirstMonitor } from './first-monitor.js';
import { OnCallCards } from './on-call-cards.js';
import { verdictParts, verdictSentence, type VerdictPart } from './verdict.js';

/** Is anything broken, does somebody know, can we see? */
export function OverviewScreen() {
  const overview = useResource<Overview>('/api/v1/overview');
  const monitors = useResource<MonitorView[]>(FIRST_PAGE_ADDRESS);
  const { data } = overview;

  if (data === undefined) return <NotThere title="Overview" of={overview} rows={8} />;
  const verdict = verdictSentence(data.counts);
  if (data.counts.total === 0) {
    return (
      <Screen title={verdict}>
        <FirstMonitor />
        <OnCallCards teams={data.onCall} />
      </Screen>
    );
  }
  const total = monitors.total ?? data.counts.total;
  return (
    <Screen
      title={<Verdict parts={verdictParts(data.counts)} />}
      receivedMs={overview.receivedMs}
      documentTitle={verdict}
      actions={newMonitorLink()}
    >
      <AttentionList items={data.attention} total={data.attentionTotal} />
      <OnCallCards teams={data.onCall} />
      <Section
        title="Monitors"
        aside={
          <a href={pathTo('/monitors')}>
            {total > (monitors.data?.length ?? 0) ? `All ${countText(total, 'monitor')}` : 'Filter and change'}
          </a>
        }
      >
        <Loaded of={monitors} rows={Math.min(50, data.counts.total)}>
          {(shown) => <MonitorTable monitors={shown} label="Monitors, worst first" />}
        </Loaded>
      </Section>
    </Screen>
  );
}

/** The list of monitors filters by health: those in maintenance are found by their windows. */
function hrefOf(status: string | undefined): string {
  return status === 'maintenance' ? pathTo('/maintenance', { state: 'active' }) : pathTo('/monitors', { status });
}

/** The sentence, in which each number leads to the monitors that it counts. */
function Verdict({ parts }: { parts: readonly VerdictPart[] }) {
  return (
    <>
      {parts.map(({ text, state, status }, index) => (
        <Fragment key={text}>
          {index > 0 && ', '}
          <a class={`verdict-part state-${lookOf(state)}`} href={hrefOf(status)}>
            {text}
          </a>
        </Fragment>
      ))}
    </>
  );
}
