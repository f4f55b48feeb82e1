import { type Html, html } from '../../../platform/http/html.js';
import type { DnsShown } from './page-evidence.js';
import type { PageLimits } from './page-limits.js';
import type { Shown } from './shown.js';

/** A check asks for six types at most. */
const MOST_TYPES = 6;

type Records = Readonly<Record<string, readonly string[]>>;

/** What the name answered, and what was different before; regions that say the same are told together. */
export function dnsSection(dns: readonly DnsShown[], shown: Shown, limits: PageLimits): Html | null {
  if (dns.length === 0) return null;
  const groups = groupAlike(dns);
  return html`<section>
    <h2>What the name answers</h2>
    ${groups.slice(0, limits.answers).map(({ regions, said }) => answerCard(regions, said, shown, limits))}
  </section>`;
}

function groupAlike(dns: readonly DnsShown[]): { regions: string[]; said: DnsShown }[] {
  const groups = new Map<string, { regions: string[]; said: DnsShown }>();
  for (const said of dns) {
    const key = JSON.stringify([said.changes, said.after?.records]);
    const group = groups.get(key) ?? { regions: [], said };
    group.regions.push(said.region);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function answerCard(
  regions: readonly string[],
  { before, after, changes }: DnsShown,
  shown: Shown,
  limits: PageLimits,
): Html {
  const value = (text: string) => shown.text(text, limits.valueChars);
  const servers = after?.propagation?.servers ?? [];
  return html`<div class="card">
    <h3>Seen from ${regions.join(', ')}</h3>
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
    ${after && recordsList(after.records, value, limits)}
    ${after?.resolver && html`<p class="soft">Answered by ${value(after.resolver)}.</p>`}
    ${
      servers.length > 0 &&
      html`<h4>The zone’s own servers ${after?.propagation?.consistent ? 'agree' : 'do not agree'}</h4>
        <ul>
          ${servers
            .slice(0, limits.records)
            .map(
              ({ server, serial, error }) =>
                html`<li>${value(server)}: ${error === null ? `serial ${serial ?? 'not told'}` : value(error)}</li>`,
            )}
        </ul>`
    }
  </div>`;
}

function recordsList(records: Records, value: (text: string) => string, limits: PageLimits): Html | null {
  const types = Object.entries(records).slice(0, MOST_TYPES);
  if (types.length === 0) return null;
  return html`<dl>
    ${types.map(
      ([type, values]) =>
        html`<dt>${type}</dt>
          <dd>${values.length === 0 ? 'none' : values.slice(0, limits.records).map(value).join(', ')}</dd>`,
    )}
  </dl>`;
}
