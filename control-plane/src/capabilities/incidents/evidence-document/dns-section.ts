import { regionPlaces } from '@watchpost/shared/region';
import { type Html, html } from '../../../platform/http/html.js';
import type { DnsEvidence } from '../incident-evidence-schemas.js';
import type { DocumentLimits } from './document-limits.js';
import type { Presenter } from './presenter.js';

/** A check queries at most six record types. */
const MOST_TYPES = 6;

/** The DNS answers, and what differed before. Regions with the same answer share one card. */
export function dnsSection(dns: readonly DnsEvidence[], shown: Presenter, limits: DocumentLimits): Html | null {
  if (dns.length === 0) return null;
  const groups = groupAlike(dns);
  return html`<section>
    <h2>DNS answers</h2>
    ${groups.slice(0, limits.answers).map(({ regions, answer }) => answerCard(regions, answer, shown, limits))}
  </section>`;
}

function groupAlike(dns: readonly DnsEvidence[]): { regions: string[]; answer: DnsEvidence }[] {
  const groups = new Map<string, { regions: string[]; answer: DnsEvidence }>();
  for (const answer of dns) {
    const key = JSON.stringify([answer.changes, answer.after?.records, answer.after?.failures]);
    const group = groups.get(key) ?? { regions: [], answer };
    group.regions.push(answer.region);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function answerCard(
  regions: readonly string[],
  { before, after, changes }: DnsEvidence,
  shown: Presenter,
  limits: DocumentLimits,
): Html {
  const value = (text: string) => shown.text(text, limits.valueChars);
  const servers = after?.propagation?.servers ?? [];
  return html`<div class="card">
    <h3>Seen from ${regionPlaces(regions)}</h3>
    ${
      changes.length > 0 &&
      html`<h4>What changed${before && html` since ${shown.time(before.checkedAt)}`}</h4>
        ${changes
          .slice(0, MOST_TYPES)
          .map(
            ({ type, added, removed }) =>
              html`${removed.slice(0, limits.records).map((one) => html`<del>− ${type} ${value(one)}</del>`)}${added
                .slice(0, limits.records)
                .map((one) => html`<ins>+ ${type} ${value(one)}</ins>`)}`,
          )}`
    }
    ${after && recordsList(after, value, limits)}
    ${after?.resolver && html`<p class="soft">Answered by ${value(after.resolver)}.</p>`}
    ${
      servers.length > 0 &&
      html`<h4>The zone’s own servers ${after?.propagation?.consistent ? 'agree' : 'do not agree'}</h4>
        <ul>
          ${servers
            .slice(0, limits.records)
            .map(
              ({ server, serial, error }) =>
                html`<li>${value(server)}: ${error === null ? `serial ${serial ?? 'unknown'}` : value(error)}</li>`,
            )}
        </ul>`
    }
  </div>`;
}

function recordsList(
  { records, failures }: NonNullable<DnsEvidence['after']>,
  value: (text: string) => string,
  limits: DocumentLimits,
): Html | null {
  const answered = Object.entries(records).map(
    ([type, values]) =>
      [type, values.length === 0 ? 'none' : values.slice(0, limits.records).map(value).join(', ')] as const,
  );
  const failed = Object.entries(failures).map(([type, why]) => [type, `not known: ${value(why)}`] as const);
  const types = [...answered, ...failed].slice(0, MOST_TYPES);
  if (types.length === 0) return null;
  return html`<dl>
    ${types.map(
      ([type, text]) =>
        html`<dt>${type}</dt>
          <dd>${text}</dd>`,
    )}
  </dl>`;
}
