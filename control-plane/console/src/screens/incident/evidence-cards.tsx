import type { IncidentEvidence } from '@watchpost/control-plane/capabilities/incidents/incident-evidence-schemas';
import { Facts } from '../../parts/section.js';
import { durationText, latencyText } from '../../parts/format.js';
import { StateMark, Time } from '../../parts/marks.js';
import type { ComponentChildren } from 'preact';

type PlaceOf = (region: string) => string;

export function LatencyCard(props: {
  latency: NonNullable<IncidentEvidence['latency']>;
  value: number;
  placeOf: PlaceOf;
}) {
  const { latency, value, placeOf } = props;
  const { percentile, thresholdMs, regions } = latency;
  return (
    <Part title="What was measured">
      <p>
        The {percentile}th percentile of the newest checks was <strong>{latencyText(value)}</strong>. The threshold is{' '}
        {latencyText(thresholdMs)}.
      </p>
      <Facts
        look="pairs small"
        facts={regions.map((one) => [
          placeOf(one.region),
          one.value > thresholdMs ? (
            <>
              {latencyText(one.value)} <StateMark state="unavailable" word="Too slow" />
            </>
          ) : (
            latencyText(one.value)
          ),
        ])}
      />
    </Part>
  );
}

export function CertificateCard({ certificate }: { certificate: NonNullable<IncidentEvidence['certificate']> }) {
  const { chain, chainTrusted, hostnameMatches, daysUntilExpiry, subjectAltNames } = certificate;
  const findings: [boolean | null, string, string][] = [
    [chainTrusted, 'The chain leads to a trusted authority', 'The chain does not lead to a trusted authority'],
    [hostnameMatches, 'It is valid for this name', 'It is not valid for this name'],
    [
      daysUntilExpiry === null ? null : daysUntilExpiry >= 0,
      `It expires in ${daysUntilExpiry} ${daysUntilExpiry === 1 ? 'day' : 'days'}, as of that check`,
      'It has expired',
    ],
  ];
  return (
    <Part title="The certificate">
      <div class="list lines one-column gap-2">
        {findings.map(([is, good, bad]) =>
          is === null ? null : <StateMark key={good} state={is ? 'available' : 'unavailable'} word={is ? good : bad} />,
        )}
      </div>
      {subjectAltNames && subjectAltNames.length > 0 && <p>Valid for {subjectAltNames.join(', ')}</p>}
      <Chain
        chain={
          chain && chain.length > 0
            ? chain
            : [{ ...certificate, serialNumber: '', fingerprint256: certificate.fingerprint256 ?? '' }]
        }
      />
    </Part>
  );
}

export function DnsCards({ dns, placeOf }: { dns: IncidentEvidence['dns']; placeOf: PlaceOf }) {
  return (
    <Part title="DNS answers">
      {dns.map(({ region, before, after, changes }) => {
        const servers = after?.propagation?.servers ?? [];
        return (
          <div key={region} class="stack">
            <h4>Seen from {placeOf(region)}</h4>
            {changes.length > 0 && (
              <div class="list lines one-column gap-2">
                {before && <Time at={before.checkedAt} as="moment" class="soft small" before="Changed since " />}
                {changes.flatMap(({ type, added, removed }) => [
                  ...removed.map((one) => (
                    <del key={`-${type}${one}`}>
                      − {type} {one}
                    </del>
                  )),
                  ...added.map((one) => (
                    <ins key={`+${type}${one}`}>
                      + {type} {one}
                    </ins>
                  )),
                ])}
              </div>
            )}
            <Facts
              look="pairs small"
              facts={[
                ...Object.entries(after?.records ?? {}).map(([type, values]) => [type, values.join(', ')] as const),
                ...Object.entries(after?.failures ?? {}).map(([type, why]) => [type, `not known: ${why}`] as const),
                ['Answered by', after?.resolver],
                ...servers.map(
                  ({ server, serial, error }) => [server, error ?? `serial ${serial ?? 'unknown'}`] as const,
                ),
              ]}
            />
            {servers.length > 0 && (
              <StateMark
                state={after?.propagation?.consistent ? 'available' : 'partial'}
                word={`The zone’s own servers ${after?.propagation?.consistent ? 'agree' : 'do not agree'}`}
              />
            )}
          </div>
        );
      })}
    </Part>
  );
}

const REPORT_TITLES = {
  reported: 'What the job reported',
  late: 'The report that did not come',
  overrun: 'The run that did not end',
} as const;

/** Of a heartbeat: its report, or by when it should have come. */
export function ReportCard({ report }: { report: NonNullable<IncidentEvidence['report']> }) {
  const { kind, at, exitCode, rid, runtimeMs, body, expectedBy, lastSuccess, started } = report;
  const moment = (value: string | null) => value && <Time at={value} as="moment" />;
  return (
    <Part title={REPORT_TITLES[kind]}>
      <Facts
        look="pairs small"
        facts={[
          ['Reported', moment(at)],
          ['Exit code', exitCode],
          ['Run', rid],
          ['Began', moment(started)],
          ['Took', runtimeMs !== null && durationText(runtimeMs)],
          ['Expected by', moment(expectedBy)],
          ['Last success', moment(lastSuccess)],
        ]}
      />
      {body !== null && (
        <More title="Its output" isOpen>
          <pre>{body}</pre>
        </More>
      )}
    </Part>
  );
}

export function More(props: { title: string; isOpen?: boolean; children: ComponentChildren }) {
  const { title, isOpen = false, children } = props;
  return (
    <details class="incident-more" open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

export function Part({ title, lead, children }: { title: string; lead?: string; children: ComponentChildren }) {
  return (
    <div class="above-5 lines gap-2">
      <h3>{title}</h3>
      {lead && <p class="soft small">{lead}</p>}
      <div class="card card-body stack">{children}</div>
    </div>
  );
}

type Certificate = NonNullable<NonNullable<IncidentEvidence['failures'][number]['evidence']>['certificate']>;

/** In the order in which the server presents them, its own first. */
export function Chain({ chain }: { chain: readonly Certificate[] }) {
  return (
    <ol class="list lines one-column gap-2">
      {chain.map(({ subject, issuer, validFrom, validTo, fingerprint256 }, index) => (
        <li key={index}>
          <strong>{subject}</strong>
          <Facts
            look="pairs small"
            facts={[
              ['Issued by', issuer],
              ['Valid', `${validFrom.slice(0, 10)} to ${validTo.slice(0, 10)}`],
              ['SHA-256', fingerprint256 && <code>{fingerprint256}</code>],
            ]}
          />
        </li>
      ))}
    </ol>
  );
}
