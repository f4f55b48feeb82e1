import type { IncidentEvidence } from '@watchpost/control-plane/capabilities/incidents/incident-evidence-schemas';
import { pathTo } from '../../data/session.js';
import { AssertionResults } from '../../parts/assertion-results.js';
import { Facts, Section } from '../../parts/section.js';
import { latencyText } from '../../parts/format.js';
import { PhaseBar } from '../../parts/phase-bar.js';
import { StateMark, Time } from '../../parts/marks.js';
import { PathTable } from './path-table.js';
import { CertificateCard, DnsCards, LatencyCard, ReportCard, Chain, More, Part } from './evidence-cards.js';

type Failure = IncidentEvidence['failures'][number];
type Region = IncidentEvidence['regions'][number];

const VERDICTS = { failing: 'unavailable', fine: 'available', unknown: 'unknown' } as const;
const VERDICT_WORDS = { failing: 'Failing', fine: 'Fine', unknown: 'Unknown' } as const;
const PAST_WORDS = { failing: 'Failed', fine: 'Was fine', unknown: 'Unknown' } as const;
const OPINIONS = {
  up: ['available', 'Fine there'],
  down: ['unavailable', 'Failed there too'],
  inconclusive: ['unknown', 'Could not check'],
} as const;

/** What was seen, region beside region. */
export function Evidence({ evidence }: { evidence: IncidentEvidence }) {
  const { regions, failures, secondOpinions, certificate, dns, latency, report, isOver, dependents, dependentCount } =
    evidence;
  const placeOf = (region: string) => evidence.places[region] ?? region;
  return (
    <Section title={report ? 'Evidence' : 'Evidence by region'} aside={<span class="soft small">{evidence.kind}</span>}>
      <div class="beside" style={{ '--least': '20rem' }}>
        {[...new Set([...regions, ...failures].map(({ region }) => region))].map((name) => (
          <RegionCard
            key={name}
            name={name}
            place={placeOf(name)}
            isOver={isOver}
            verdict={regions.find(({ region }) => region === name)}
            failures={failures.filter(({ region }) => region === name)}
          />
        ))}
      </div>
      {report && <ReportCard report={report} />}
      {regions.length === 0 && failures.length === 0 && report === null && <p class="soft">Nothing was recorded.</p>}
      {latency && latency.value !== null && <LatencyCard latency={latency} value={latency.value} placeOf={placeOf} />}
      {certificate && <CertificateCard certificate={certificate} />}
      {dns.length > 0 && <DnsCards dns={dns} placeOf={placeOf} />}
      {secondOpinions.length > 0 && (
        <Part
          title="Second opinion"
          lead="Another region or agent checked at once, to rule out a problem of the first one."
        >
          <ul class="list lines one-column gap-2">
            {secondOpinions.map(({ region, askedAt, outcome, message, responseTime }, index) => (
              <li key={index} class="row">
                <strong>{placeOf(region)}</strong>
                <StateMark state={OPINIONS[outcome][0]} word={OPINIONS[outcome][1]} />
                <Time at={askedAt} as="moment" />
                <span class="soft">{message ?? (responseTime === null ? '' : `in ${latencyText(responseTime)}`)}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {dependentCount > 0 && (
        <Part
          title="Failed because of it"
          lead="These monitors depend on this one. Nobody was notified of their failures."
        >
          <ul class="list lines one-column gap-2">
            {dependents.map(({ monitorId, name, reason, failed, ended, ownIncidentId }) => (
              <li key={monitorId} class="row">
                <a href={pathTo(ownIncidentId === null ? `/monitors/${monitorId}` : `/incidents/${ownIncidentId}`)}>
                  {name}
                </a>
                {ended === null ? (
                  <StateMark state="unavailable" word="Fails" />
                ) : ownIncidentId === null ? (
                  <StateMark state="available" word="Over" />
                ) : (
                  <StateMark state="unavailable" word="An incident of its own" />
                )}
                <Time at={ended ?? failed} as="moment" />
                <span class="soft">{reason}</span>
              </li>
            ))}
          </ul>
          {dependentCount > dependents.length && <p class="soft">{dependentCount - dependents.length} more</p>}
        </Part>
      )}
    </Section>
  );
}

interface RegionCardProps {
  name: string;
  place: string;
  isOver: boolean;
  verdict: Region | undefined;
  failures: readonly Failure[];
}

function RegionCard({ name, place, isOver, verdict, failures }: RegionCardProps) {
  return (
    <article class="card card-body lines one-column gap-2">
      <header class="row between">
        <h3>
          {place} <span class="soft small">{name}</span>
        </h3>
        {verdict && (
          <span class={isOver ? 'incident-past' : undefined}>
            <StateMark
              state={VERDICTS[verdict.verdict]}
              word={(isOver ? PAST_WORDS : VERDICT_WORDS)[verdict.verdict]}
            />
            {verdict.failedUntil !== null ? (
              <Time at={verdict.failedUntil} as="moment" before=" until " />
            ) : (
              isOver && verdict.verdict === 'failing' && ', not seen to recover'
            )}
          </span>
        )}
      </header>
      {verdict && (verdict.note !== null || verdict.lastCheckedAt !== null) && (
        <p class="soft small">
          {verdict.note}{' '}
          {verdict.lastCheckedAt !== null && <Time at={verdict.lastCheckedAt} before="Last check " after="." />}
        </p>
      )}
      {failures.map((failure, index) => (
        <Attempt key={index} failure={failure} />
      ))}
    </article>
  );
}

function Attempt({ failure }: { failure: Failure }) {
  const { startedAt, scheduledAt, message, summary, timings, responseTime, address, statusCode, evidence } = failure;
  const headers = Object.entries(evidence?.headers ?? {});
  const hops = evidence?.hops ?? [];
  const hasTimes = timings !== null && Object.values(timings).some((ms) => ms !== undefined && ms > 0);
  return (
    <div class="incident-attempt lines one-column gap-3">
      <p>
        <strong>{message}</strong>
      </p>
      {hasTimes && <PhaseBar phases={timings} />}
      {summary !== '' && (
        <p class="state-unavailable small">
          {summary}
          {responseTime !== null && ` After ${latencyText(responseTime)}.`}
        </p>
      )}
      <Facts
        look="pairs small"
        facts={[
          ['Seen', <Time key="at" at={startedAt ?? scheduledAt} as="moment" />],
          ['Connected to', address],
          ['Resolved to', evidence?.resolved?.join(', ')],
          ['Status', statusCode],
          ['HTTP version', hops.at(-1)?.httpVersion],
          ['Noticed', evidence?.notes?.join(' ')],
        ]}
      />
      {evidence?.path && <PathTable path={evidence.path} />}
      <AssertionResults results={evidence?.assertions ?? []} />
      {hops.length > 1 && (
        <More title={hops.some(({ step }) => step) ? 'Requests of the run' : 'Redirects followed'}>
          <ol class="list lines one-column gap-2">
            {hops.map(({ url, statusCode: status, step }, index) => (
              <li key={index}>
                {step && <strong>{step}: </strong>}
                <code>{url}</code> <span class="soft">{status ?? 'no answer'}</span>
              </li>
            ))}
          </ol>
        </More>
      )}
      {evidence?.bodyStart && (
        <More title="What the site answered" isOpen>
          <pre class="flush sunken pad-2-3 pre">{evidence.bodyStart}</pre>
        </More>
      )}
      {evidence?.received && (
        <More title="What the service sent" isOpen>
          <pre class="flush sunken pad-2-3 pre">{evidence.received}</pre>
        </More>
      )}
      {headers.length > 0 && (
        <More title={`Headers of the answer (${headers.length})`}>
          <Facts look="pairs small" facts={headers} />
        </More>
      )}
      {evidence?.certificate && <Chain chain={[evidence.certificate]} />}
    </div>
  );
}
