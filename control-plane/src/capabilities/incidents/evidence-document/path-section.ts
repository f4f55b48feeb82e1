import { latencyText } from '@watchpost/shared/design/texts';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { pathRows, pathSentence } from '@watchpost/shared/path-rows';
import { type Html, html } from '../../../platform/http/html.js';
import type { PathOfFailure } from '../incident-evidence-schemas.js';
import type { DocumentLimits } from './document-limits.js';
import type { Presenter } from './presenter.js';

type Hop = PathOfFailure['hops'][number];

const PUBLIC = createEgressPolicy({ allowCidrs: [] });
const PRIVATE = 'a private address';

/** The way to the address that could not be reached, beside the last good one. Readers of a link see no private addresses. */
export function pathTable(path: PathOfFailure | undefined, shown: Presenter, limits: DocumentLimits): Html | null {
  if (path === undefined) return null;
  const open = withoutPrivate(path);
  const cell = (hop: Hop | null) =>
    html`<td>
      ${hop && (hop.address === null ? 'no answer' : shown.text([hop.name, hop.address].filter(Boolean).join(' '), limits.valueChars))}
      ${hop && hop.rttMs !== null && html` <span class="soft">${latencyText(hop.rttMs)}</span>`}
      ${hop && hop.loss !== null && hop.loss > 0 && html` <span class="soft">${hop.loss} % lost</span>`}
    </td>`;
  const rows = pathRows(open);
  return html`<table>
    <caption>
      ${shown.text(pathSentence(open), 2 * limits.valueChars)} Traced
      ${shown.time(open.tracedAt)}${open.lastGood && html`, beside the last good one of ${shown.time(open.lastGood.tracedAt)}`}.
    </caption>
    <tbody>
      ${rows.map(
        ({ ttl, hop, good }) =>
          html`<tr>
            <th scope="row">${ttl}</th>
            ${cell(hop)}${open.lastGood && cell(good)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function withoutPrivate(path: PathOfFailure): PathOfFailure {
  const hide = (hop: Hop): Hop =>
    hop.address === null || PUBLIC.allows(hop.address) ? hop : { ...hop, address: PRIVATE, name: null };
  const host = /^\[?(.*?)\]?:\d+$/.exec(path.address)?.[1] ?? '';
  return {
    ...path,
    address: PUBLIC.allows(host) ? path.address : PRIVATE,
    hops: path.hops.map(hide),
    lastGood: path.lastGood && { ...path.lastGood, hops: path.lastGood.hops.map(hide) },
  };
}
