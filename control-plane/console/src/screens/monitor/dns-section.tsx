import type {
  DnsHistoryEntryView,
  DnsHistoryView,
} from '@watchpost/control-plane/capabilities/verdicts/warnings/dns-schemas';
import { useResource } from '../../data/resources.js';
import { NotLoaded } from '../../parts/loaded.js';
import { StateMark, Time } from '../../parts/marks.js';
import { propagationText } from './target.js';
import { usePlaces } from './reading.js';

/** The records of the latest check, what every name server answers, and the latest changes. */
export function DnsSection({ monitorId }: { monitorId: string }) {
  const placeOf = usePlaces();
  const dns = useResource<DnsHistoryView>(`/api/v1/monitor/${monitorId}/dns-history`, { pageSize: 50 });
  if (dns.data === undefined) return <NotLoaded of={dns} rows={4} />;
  const [latest] = dns.data.history;
  if (latest === undefined) return <p class="card card-body soft">Its records have not been looked up yet.</p>;
  const changed = dns.data.history.filter((entry) => entry.changes.length > 0).slice(0, 5);
  const { records, failures, propagation, failureReason, resolver } = latest;
  const failed = Object.entries(failures);
  const isEverywhere =
    propagation === null || (propagation.consistent && propagation.servers.every(({ error }) => error === null));
  return (
    <div class="card card-body stack">
      <p>
        <StateMark state={failureReason !== null ? 'unavailable' : isEverywhere ? 'available' : 'partial'} isQuiet />{' '}
        <strong>
          {failureReason ??
            (isEverywhere
              ? 'The records are as expected.'
              : 'The records are as expected, but not on all name servers.')}
        </strong>{' '}
        <span class="soft">
          Looked up <Time at={latest.checkedAt} /> from {placeOf(latest.region)}
          {resolver !== null && `, by ${resolver}`}
        </span>
      </p>
      {Object.keys(records).length + failed.length > 0 && (
        <dl class="stack tight dns-records">
          {Object.entries(records).map(([type, values]) => (
            <div key={type}>
              <dt class="mono soft">{type}</dt>
              <dd class="mono">
                {values.length === 0 ? (
                  <span class="soft">none</span>
                ) : (
                  values.map((value) => <div key={value}>{value}</div>)
                )}
              </dd>
            </div>
          ))}
          {failed.map(([type, why]) => (
            <div key={type}>
              <dt class="mono soft">{type}</dt>
              <dd class="state-partial">not known: {why}</dd>
            </div>
          ))}
        </dl>
      )}
      {propagation !== null && (
        <div>
          <h3 class="below-2 soft small">{propagationText(propagation)}</h3>
          <ul class="dns-servers list lines gap-1">
            {propagation.servers.map(({ server, serial, error, records: own }) => (
              <li key={server} class="wrap gap-0-3">
                <span class="mono">{server}</span>
                <span class={error === null ? 'soft' : 'state-unavailable'}>
                  {error ?? (serial === null ? 'answers' : `serial ${serial}`)}
                </span>
                {!propagation.consistent && own !== null && <span class="mono small">{differences(own, records)}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
      {changed.length > 0 && (
        <div>
          <h3 class="below-2 soft small">Latest changes</h3>
          <ul class="list lines gap-3">
            {changed.map(({ checkedAt, region, changes }) => (
              <li key={checkedAt + region}>
                <Time at={checkedAt} as="moment" class="soft" after={` from ${placeOf(region)}`} />
                {changes.map(({ type, added, removed }) => (
                  <div key={type} class="wrap gap-0-3 mono">
                    {type}
                    {removed.map((value) => (
                      <del key={value}>− {value}</del>
                    ))}
                    {added.map((value) => (
                      <ins key={value}>+ {value}</ins>
                    ))}
                  </div>
                ))}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function differences(own: DnsHistoryEntryView['records'], answer: DnsHistoryEntryView['records']): string {
  return Object.entries(own)
    .filter(([type, values]) => JSON.stringify(values) !== JSON.stringify(answer[type as keyof typeof answer] ?? []))
    .map(([type, values]) => `${type}: ${values.join(', ') || 'none'}`)
    .join('; ');
}
