import { useState } from 'preact/hooks';
import type { IncidentEvidence } from '@watchpost/control-plane/capabilities/incidents/incident-evidence-schemas';
import { pathTo } from '../../data/session.js';
import { AssertionResults } from '../../parts/assertion-results.js';
import { DomainFacts } from '../../parts/domain-facts.js';
import { Facts, Section } from '../../parts/section.js';
import { latencyText } from '../../parts/format.js';
import { StateMark, Time } from '../../parts/marks.js';
import { groupAlike } from './alike.js';
import { Compared } from './compared.js';
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

export function Evidence({ evidence, monitorId }: { evidence: IncidentEvidence; monitorId: string }) {
  const { regions, failures, secondOpinions, certificate, dns, latency, report, domain } = evidence;
  const { dependents, dependentCount } = evidence;
  const placeOf = (region: string) => evidence.places[region] ?? region;
  return (
    <Section
      title={report || domain ? 'Evidence' : 'Evidence by region'}
      aside={<span class="soft small">{evidence.kind}</span>}
    >
      <div class="beside" style={{ '--least': '20rem' }}>
        {groupAlike(evidence).map(({ names, failures: own }) => (
          <RegionsCard key={names[0]} names={names} failures={own} evidence={evidence} monitorId={monitorId} />
        ))}
      </div>
      {report && <ReportCard report={report} />}
      {domain && (
        <Part title="What the registry answered">
          <DomainFacts of={domain} look="pairs small" />
        </Part>
      )}
      {regions.length + failures.length === 0 && !report && !domain && <p class="soft">Nothing was recorded.</p>}
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

interface RegionsProps {
  /** Those that saw the same. */
  names: readonly string[];
  /** The failures that the first of them saw. */
  failures: readonly Failure[];
  evidence: IncidentEvidence;
  monitorId: string;
}

function RegionsCard({ names, failures, evidence, monitorId }: RegionsProps) {
  const [, ...others] = names;
  return (
    <article class="card card-body lines one-column gap-2 packed">
      {names.map((name) => (
        <RegionHead key={name} name={name} evidence={evidence} />
      ))}
      {others.length > 0 && failures.length > 0 && (
        <p class="soft small">They saw the same. This is what {evidence.places[names[0]!] ?? names[0]} saw.</p>
      )}
      {failures.map((failure, index) => (
        <Attempt key={index} failure={failure} monitorId={monitorId} />
      ))}
      {failures.length > 0 &&
        others.map((name) => (
          <Folded
            key={name}
            title={`What ${evidence.places[name] ?? name} saw`}
            failures={evidence.failures.filter(({ region }) => region === name)}
            monitorId={monitorId}
          />
        ))}
    </article>
  );
}

/** Another region saw the same but for times and addresses: it is read and drawn once it is opened. */
function Folded({ title, failures, monitorId }: { title: string; failures: readonly Failure[]; monitorId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="incident-more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && failures.map((failure, index) => <Attempt key={index} failure={failure} monitorId={monitorId} />)}
    </details>
  );
}

function RegionHead({ name, evidence }: { name: string; evidence: IncidentEvidence }) {
  const { places, isOver, regions } = evidence;
  const verdict: Region | undefined = regions.find(({ region }) => region === name);
  return (
    <>
      <header class="row between">
        <h3>
          {places[name] ?? name} <span class="soft small">{name}</span>
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
    </>
  );
}

function Attempt({ failure, monitorId }: { failure: Failure; monitorId: string }) {
  const { startedAt, scheduledAt, message, summary, timings, responseTime, address, statusCode, evidence } = failure;
  const headers = Object.entries(evidence?.headers ?? {});
  const hops = evidence?.hops ?? [];
  const hasTimes = timings !== null && Object.values(timings).some((ms) => ms !== undefined && ms > 0);
  return (
    <div class="incident-attempt lines one-column gap-3">
      <p>
        <strong>{message}</strong>
      </p>
      {hasTimes && <Compared failure={failure} monitorId={monitorId} />}
      {summary !== '' && <p class="state-unavailable small">{summary}</p>}
      <Facts
        look="pairs small"
        facts={[
          ['Seen', <Time key="at" at={startedAt ?? scheduledAt} as="moment" />],
          // The picture of the phases has it.
          !hasTimes && responseTime !== null && ['Time taken', latencyText(responseTime)],
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
