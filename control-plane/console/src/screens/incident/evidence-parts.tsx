import type { IncidentEvidence } from '@watchpost/control-plane/capabilities/incidents/incident-evidence-schemas';
import type { ComponentChildren } from 'preact';

export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  const shown = facts.filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false);
  return (
    <dl class="incident-pairs">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function More({
  title,
  isOpen = false,
  children,
}: {
  title: string;
  isOpen?: boolean;
  children: ComponentChildren;
}) {
  return (
    <details class="incident-more" open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

export function Part({ title, lead, children }: { title: string; lead?: string; children: ComponentChildren }) {
  return (
    <div class="incident-part">
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
    <ol class="incident-list">
      {chain.map(({ subject, issuer, validFrom, validTo, fingerprint256 }, index) => (
        <li key={index}>
          <strong>{subject}</strong>
          <Facts
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
