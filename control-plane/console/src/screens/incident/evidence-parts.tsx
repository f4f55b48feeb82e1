import type { IncidentEvidence } from '@watchpost/control-plane/capabilities/incidents/incident-evidence-schemas';
import type { ComponentChildren } from 'preact';
import { Facts } from '../../parts/facts.js';

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
    <ol class="list incident-list">
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
